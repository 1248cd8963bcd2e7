public import Foundation

extension SearchResultItem {
    /// The text of a field with ``SearchMatchAttribute`` on the matches, ready to be shown.
    ///
    /// The text comes through the hooks of the index each time, as with ``strings()``.
    ///
    /// Complexity: linear in the object's strings that have matches.
    ///
    /// - Parameter field: one of ``TextIndexConfiguration/fields``.
    /// - Returns: The text; empty if there is no such field, or the object is gone or cannot be
    ///   read.
    public func highlighted(_ field: String) -> AttributedString {
        guard let number = index.configuration.fields.firstIndex(of: field),
            let strings = try? strings(), strings.indices.contains(number)
        else { return AttributedString() }
        var result = AttributedString()
        let string = strings[number]
        var place = string.startIndex
        for highlight in highlights(in: strings)[number] {
            result += AttributedString(string[place..<highlight.range.lowerBound])
            var match = AttributedString(string[highlight.range])
            match[SearchMatchAttribute.self] = true
            result += match
            place = highlight.range.upperBound
        }
        return result + AttributedString(string[place...])
    }
}

extension SearchResultItem where Object: Identifiable, Object.ID: IndexIdentifier {
    /// The object's `id`, read from ``identifier``.
    ///
    /// It is right for an index whose identifiers are the `id`s of its objects, as the initialisers
    /// with key paths make it. For any other index the value is meaningless: the identifiers of a
    /// followed table, for example, are the keys of its rows.
    public var id: Object.ID { Object.ID(indexIdentifier: identifier) }
}
