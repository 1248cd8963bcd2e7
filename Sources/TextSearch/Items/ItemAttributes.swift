public import Foundation

/// What is known of an item: the usual names, and any others.
///
/// ```swift
/// var attributes = ItemAttributes(title: "Pekin duck")
/// attributes.keywords = ["poultry", "sugar"]
/// attributes["course"] = "main"
/// ```
///
/// The texts of ``textNames`` are searched. All attributes but ``textContent`` and
/// ``transcribedTextContent`` can be compared with and sorted by.
public struct ItemAttributes: Hashable, Sendable {
    /// The attributes whose text is searched, in the order of the fields of an ``ItemIndex``.
    ///
    /// Paths, identifiers and kinds are not among them: people do not search for their words.
    public static let textNames = [
        "title", "displayName", "keywords", "authorNames", "contentDescription", "textContent",
        "subject", "recipientNames", "emailAddresses", "alternateNames", "comment", "phoneNumbers",
        "transcribedTextContent", "album", "artist", "composer", "namedLocation", "city", "country",
    ]

    /// How many of ``textNames`` all items have as strings; of the others they have as many as are
    /// needed. Stored indexes know the fields by their places: names are appended, none moves.
    static let commonTextCount = 6
    /// The texts of ``textNames`` that are kept with the item, not compared as a whole.
    static let longTextNames = ["textContent", "transcribedTextContent"]
    /// The others of ``textNames``.
    static let attributeTextNames = textNames.filter { !longTextNames.contains($0) }

    /// The values by their names. An attribute that is not there has none.
    ///
    /// A name has any signs, but at least one. `domainIdentifier`, `expirationDate` and
    /// `longTextNames` are taken: the index keeps the domain, the expiry and which long texts there
    /// are under these.
    public var values: [String: AttributeValue]

    /// Creates attributes of a title, a text and any other values.
    ///
    /// - Parameters:
    ///   - title: the title; nil for none.
    ///   - textContent: the text; nil for none.
    ///   - values: others, by their names.
    public init(
        title: String? = nil, textContent: String? = nil, _ values: [String: AttributeValue] = [:]
    ) {
        self.values = values
        if let title { self.title = title }
        if let textContent { self.textContent = textContent }
    }

    /// The value of an attribute by its name, a usual or any other one; nil removes it.
    public subscript(name: String) -> AttributeValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The title, which is shown first.
    public var title: String? {
        get { text("title") }
        set { setText("title", newValue) }
    }

    /// A name for people, such as that of a file.
    public var displayName: String? {
        get { text("displayName") }
        set { setText("displayName", newValue) }
    }

    /// A few words on what the item is.
    public var contentDescription: String? {
        get { text("contentDescription") }
        set { setText("contentDescription", newValue) }
    }

    /// The text. It is searched word by word and cannot be compared with as a whole.
    public var textContent: String? {
        get { text("textContent") }
        set { setText("textContent", newValue) }
    }

    /// Words that the item is to be found by.
    public var keywords: [String] {
        get { texts("keywords") }
        set { setTexts("keywords", newValue) }
    }

    /// The names of those who made the item.
    public var authorNames: [String] {
        get { texts("authorNames") }
        set { setTexts("authorNames", newValue) }
    }

    /// The kind of the content, as a uniform type identifier or in any other form.
    public var contentType: String? {
        get { text("contentType") }
        set { setText("contentType", newValue) }
    }

    /// When the content was made.
    public var contentCreationDate: Date? {
        get { date("contentCreationDate") }
        set { values["contentCreationDate"] = newValue.map { .date($0) } }
    }

    /// When the content was changed last.
    public var contentModificationDate: Date? {
        get { date("contentModificationDate") }
        set { values["contentModificationDate"] = newValue.map { .date($0) } }
    }

    /// A rating of the item; nil for none.
    public var rating: Double? {
        get { number("rating") }
        set { values["rating"] = newValue.map { .number($0) } }
    }

    /// How much the item is wanted beside others, 0 to 100; nil counts as 0, and so does what is
    /// less.
    ///
    /// ``ItemIndex/search(_:filter:limit:ranking:)`` multiplies the relevance of an item by
    /// 1 + hint ∕ 100: one of 100 counts twice.
    public var rankingHint: Double? {
        get { number("rankingHint") }
        set { values["rankingHint"] = newValue.map { .number($0) } }
    }

    /// Adds all attributes of others.
    ///
    /// - Parameter others: the attributes; their values replace those of the same names.
    public mutating func merge(_ others: ItemAttributes) {
        values.merge(others.values) { _, new in new }
    }

    /// The text of an attribute; the members of an array are joined by line breaks.
    func searchedText(_ name: String) -> String {
        switch values[name] {
        case .string(let text): text
        case .array: texts(name).joined(separator: "\n")
        default: ""
        }
    }

    func text(_ name: String) -> String? {
        if case .string(let text) = values[name] { return text }
        return nil
    }

    private func number(_ name: String) -> Double? {
        if case .number(let number) = values[name] { return number }
        return nil
    }

    func date(_ name: String) -> Date? {
        if case .date(let date) = values[name] { return date }
        return nil
    }

    func texts(_ name: String) -> [String] {
        (values[name]?.scalars ?? []).compactMap {
            if case .string(let text) = $0 { text } else { nil }
        }
    }

    mutating func setText(_ name: String, _ text: String?) {
        values[name] = text.map { .string($0) }
    }

    mutating func setTexts(_ name: String, _ texts: [String]) {
        values[name] = texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }
}
