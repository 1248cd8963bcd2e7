package import TextSearch

/// What a text asks to sort by: `price:asc,weight,relevance`.
package struct SortChoice: Sendable {
    /// The keys, the first one first.
    package let keys: [SortKey]
    /// The attributes among them.
    package let attributes: [String]

    /// Nil for what is no list of keys.
    package init?(argument: String) {
        var keys: [SortKey] = []
        var attributes: [String] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            var name = String(part)
            var direction: SortKey.Direction?
            for (suffix, meaning) in [
                (":asc", SortKey.Direction.ascending), (":desc", .descending),
            ] where name.hasSuffix(suffix) {
                name.removeLast(suffix.count)
                direction = meaning
            }
            if name.isEmpty { return nil }
            switch name {
            case "weight": keys.append(.weight(direction ?? .descending))
            case "relevance": keys.append(.relevance(direction ?? .descending))
            default:
                keys.append(.attribute(name, direction ?? .ascending))
                attributes.append(name)
            }
        }
        self.keys = keys
        self.attributes = attributes
    }
}
