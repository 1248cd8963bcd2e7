public import Foundation

/// Something to be found: an identifier, a domain that it belongs to, and what is known of it.
public struct SearchableItem: Hashable, Sendable, Identifiable {
    /// The attributes that say what an item is a part of and how long it is to be found.
    enum Names {
        static let domain = "domainIdentifier"
        static let expiration = "expirationDate"
        /// Kept with the item; the index finds its words.
        static let textContent = "textContent"
    }

    /// What tells the item from others: 1 to 4,096 bytes in UTF-8.
    public var id: String
    /// What the item belongs to, such as `mail.account2.inbox`: names with dots between. A domain
    /// is deleted with all that are in it. Nil for none.
    public var domain: String?
    /// What is known of it.
    public var attributes: ItemAttributes
    /// From when on it is not found any more; nil for never.
    public var expirationDate: Date?
    /// Whether only the attributes that are given are changed of an item that is there; false
    /// unless set.
    public var isUpdate: Bool

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - id: what tells it from others.
    ///   - domain: what it belongs to; nil for nothing.
    ///   - attributes: what is known of it.
    ///   - expirationDate: from when on it is not found any more; nil for never.
    ///   - isUpdate: whether only the attributes that are given are changed.
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
