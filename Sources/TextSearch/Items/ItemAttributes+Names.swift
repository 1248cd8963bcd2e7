/// Further usual names. They have text that is searched, as all of ``textNames``.
extension ItemAttributes {
    /// The subject of a message.
    public var subject: String? {
        get { text("subject") }
        set { setText("subject", newValue) }
    }

    /// What somebody says of the item.
    public var comment: String? {
        get { text("comment") }
        set { setText("comment", newValue) }
    }

    /// What is said in a recording, or is to be read in a picture. It is searched word by word and
    /// cannot be compared with as a whole.
    public var transcribedTextContent: String? {
        get { text("transcribedTextContent") }
        set { setText("transcribedTextContent", newValue) }
    }

    /// Other names of the item.
    public var alternateNames: [String] {
        get { texts("alternateNames") }
        set { setTexts("alternateNames", newValue) }
    }

    /// The names of those whom a message is for.
    public var recipientNames: [String] {
        get { texts("recipientNames") }
        set { setTexts("recipientNames", newValue) }
    }

    /// The mail addresses that belong to the item.
    public var emailAddresses: [String] {
        get { texts("emailAddresses") }
        set { setTexts("emailAddresses", newValue) }
    }

    /// The telephone numbers that belong to the item.
    public var phoneNumbers: [String] {
        get { texts("phoneNumbers") }
        set { setTexts("phoneNumbers", newValue) }
    }

    /// The title of the album that a piece of music belongs to.
    public var album: String? {
        get { text("album") }
        set { setText("album", newValue) }
    }

    /// Who performs a piece of music.
    public var artist: String? {
        get { text("artist") }
        set { setText("artist", newValue) }
    }

    /// Who wrote a piece of music.
    public var composer: String? {
        get { text("composer") }
        set { setText("composer", newValue) }
    }

    /// The name of the place that the item belongs to, such as that of a restaurant.
    public var namedLocation: String? {
        get { text("namedLocation") }
        set { setText("namedLocation", newValue) }
    }

    /// The city that the item belongs to.
    public var city: String? {
        get { text("city") }
        set { setText("city", newValue) }
    }

    /// The country that the item belongs to.
    public var country: String? {
        get { text("country") }
        set { setText("country", newValue) }
    }
}
