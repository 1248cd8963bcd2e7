public import Foundation

/// Something to be found: an identifier, a domain that it belongs to, and what is known of it.
public struct SearchableItem: Hashable, Sendable, Identifiable {
    /// The names of the attributes that the index keeps for the properties of an item.
    enum Names {
        static let domain = "domainIdentifier"
        static let expiration = "expirationDate"
        /// Kept with the item; the index finds its words.
        static let textContent = "textContent"
    }

    /// The identifier of the item: 1 to 4,096 bytes in UTF-8.
    public var id: String
    /// The domain of the item, such as `mail.account2.inbox`: names with dots between. Deleting a
    /// domain deletes those within it, too. Nil for none.
    public var domain: String?
    /// What is known of the item, such as its title and its text.
    public var attributes: ItemAttributes
    /// The date from which the item is no longer found; nil for never.
    public var expirationDate: Date?
    /// Whether an item that exists keeps the attributes that this one does not give; false by
    /// default, so that it is replaced.
    public var isUpdate: Bool

    /// Creates an item of an identifier and attributes.
    ///
    /// - Parameters:
    ///   - id: the identifier.
    ///   - domain: the domain; nil for none.
    ///   - attributes: what is known of the item.
    ///   - expirationDate: the date from which it is no longer found; nil for never.
    ///   - isUpdate: whether an item that exists keeps the attributes that are not given.
    public init(
        id: String, domain: String? = nil, attributes: ItemAttributes,
        expirationDate: Date? = nil, isUpdate: Bool = false
    ) {
        self.id = id
        self.domain = domain
        self.attributes = attributes
        self.expirationDate = expirationDate
        self.isUpdate = isUpdate
    }

    /// What the index is told.
    var indexed: IndexedObject {
        var values = attributes.values
        let text = values.removeValue(forKey: Names.textContent)
        values[Names.domain] = domain.map { .string($0) }
        values[Names.expiration] = expirationDate.map { .date($0) }
        return IndexedObject(
            strings: ItemAttributes.textNames.map { attributes.searchedText($0) },
            context: text.map { [Names.textContent: $0.asContext] } ?? [:], attributes: values)
    }

    /// The item that the index has.
    init<Object>(_ found: SearchResultItem<Object>) {
        var values = found.attributes
        if case .string(let domain) = values.removeValue(forKey: Names.domain) {
            self.domain = domain
        }
        if case .date(let date) = values.removeValue(forKey: Names.expiration) {
            expirationDate = date
        }
        values[Names.textContent] = found.context[Names.textContent]
            .flatMap(AttributeValue.init(context:))
        id = String(decoding: found.identifier, as: UTF8.self)
        attributes = ItemAttributes(values)
        isUpdate = false
    }

    /// Takes over what an update says.
    func updated(by update: SearchableItem) -> SearchableItem {
        var item = self
        item.attributes.merge(update.attributes)
        item.domain = update.domain ?? domain
        item.expirationDate = update.expirationDate ?? expirationDate
        return item
    }
}
