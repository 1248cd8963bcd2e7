/// Changes of items that take effect together; see ``ItemIndex/batch(expecting:storing:_:)``. Later
/// ones go before earlier ones.
public struct ItemBatch: Sendable {
    enum Change: Sendable {
        case index(SearchableItem)
        case deleteItem(String)
        case deleteDomain(String)
    }

    private(set) var changes: [Change] = []

    init() {}

    /// Adds items, or replaces or updates those that exist.
    ///
    /// - Parameter items: the items.
    public mutating func index(_ items: [SearchableItem]) { changes += items.map { .index($0) } }

    /// Deletes items by their identifiers.
    ///
    /// - Parameter identifiers: the identifiers; unknown ones do nothing.
    public mutating func delete(identifiers: [String]) {
        changes += identifiers.map { .deleteItem($0) }
    }

    /// Deletes all items of domains, and of the domains within them.
    ///
    /// - Parameter domains: the domains.
    public mutating func delete(domains: [String]) {
        changes += domains.map { .deleteDomain($0) }
    }
}
