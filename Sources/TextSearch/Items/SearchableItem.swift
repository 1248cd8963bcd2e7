public import Foundation

/// Something to be found: an identifier, a domain that it belongs to, and what is known of it.
public struct SearchableItem: Hashable, Sendable, Identifiable {
    /// The names of the attributes that the index keeps for the properties of an item.
    enum Names {
        static let domain = "domainIdentifier"
        static let expiration = "expirationDate"
        /// Which of the long texts there are; they are kept with the item, and the index finds
        /// their words.
        static let longTexts = "longTextNames"
    }

    /// The identifier of the item: 1 to 4,096 bytes in UTF-8. Other bytes are another identifier,
    /// even if they are for the same letters.
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
    /// The names of the attributes that an update removes. Those that it gives as well have the
    /// given values. `domainIdentifier` takes the item out of its domain, and `expirationDate` has
    /// it never expire.
    ///
    /// ```swift
    /// var update = SearchableItem(id: "1", attributes: .init(title: "Lunch"), isUpdate: true)
    /// update.removedNames = ["rating", "expirationDate"]
    /// ```
    public var removedNames: Set<String> = []

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
    ///
    /// - Throws: ``TextIndexError``: `.invalidArgument` for an attribute without a name, or one
    ///   whose name is taken.
    func indexed() throws -> IndexedObject {
        try check()
        var values = attributes.values
        var context: [String: ContextValue] = [:]
        for name in ItemAttributes.longTextNames {
            context[name] = values.removeValue(forKey: name)?.asContext
        }
        values[Names.domain] = domain.map { .string($0) }
        values[Names.expiration] = expirationDate.map { .date($0) }
        values[Names.longTexts] =
            context.isEmpty ? nil : .array(context.keys.sorted().map { .string($0) })
        return IndexedObject(
            strings: strings, weight: weight, context: context, attributes: values)
    }

    private func check() throws {
        let taken = [
            (Names.domain, "set the domain of the item"),
            (Names.expiration, "set the expirationDate of the item"),
            (Names.longTexts, "choose another name"), ("", "choose a name"),
        ]
        for (name, advice) in taken where attributes.values[name] != nil {
            throw TextIndexError(
                .invalidArgument, "An attribute of an item cannot be named \"\(name)\": \(advice).")
        }
    }

    private var strings: [String] {
        var strings = ItemAttributes.textNames.map { attributes.searchedText($0) }
        while strings.count > ItemAttributes.commonTextCount, strings.last == "" {
            strings.removeLast()
        }
        return strings
    }

    /// What the relevance of the item is multiplied by where there are hints: 1 to 2.
    private var weight: Double {
        // Also what is not a number is no hint.
        guard let hint = attributes.rankingHint, hint > 0 else { return 1 }
        return 1 + min(hint, 100) / 100
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
        values[Names.longTexts] = nil
        for (name, value) in found.context { values[name] = AttributeValue(context: value) }
        id = String(decoding: found.identifier, as: UTF8.self)
        attributes = ItemAttributes(values)
        isUpdate = false
    }

    /// Takes over what an update says.
    func updated(by update: SearchableItem) -> SearchableItem {
        var item = self
        for name in update.removedNames { item.attributes[name] = nil }
        item.attributes.merge(update.attributes)
        if update.removedNames.contains(Names.domain) { item.domain = nil }
        if update.removedNames.contains(Names.expiration) { item.expirationDate = nil }
        item.domain = update.domain ?? item.domain
        item.expirationDate = update.expirationDate ?? item.expirationDate
        return item
    }
}
