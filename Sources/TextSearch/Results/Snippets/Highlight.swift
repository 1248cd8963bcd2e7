/// A range of a string that a search matched.
public struct Highlight: Sendable, Hashable {
    /// The range in the string, of whole characters.
    public let range: Range<String.Index>
    /// The range in the string, in UTF-8 code units.
    public let utf8Range: Range<Int>
    /// The range in the string, in UTF-16 code units.
    public let utf16Range: Range<Int>

    init(_ range: Range<String.Index>, in string: String) {
        self.range = range
        let start = string.utf8.distance(from: string.startIndex, to: range.lowerBound)
        utf8Range = start..<(start + string.utf8[range].count)
        let units = string.utf16.distance(from: string.startIndex, to: range.lowerBound)
        utf16Range = units..<(units + string.utf16[range].count)
    }
}

extension SearchResultItem {
    /// Returns the ranges of an object's strings that the search matched, to mark them where the
    /// strings are shown.
    ///
    /// It covers matches of every kind: words, pieces of words, phrases, stems, words with typing
    /// errors. Matches that overlap or touch are one. If a piece occurs several times in a word,
    /// each is included; ``resultTokens`` of a query have only the first.
    ///
    /// ```swift
    /// for highlight in item.highlights(in: [note.title, note.body])[1] {
    ///     print(note.body[highlight.range])
    /// }
    /// ```
    ///
    /// Complexity: linear in the strings that have matches.
    ///
    /// Strings other than the indexed ones are safe. Matches beyond their end are left out, and
    /// others cover whole characters of the present text.
    ///
    /// - Parameter strings: the strings as they were indexed.
    /// - Returns: For each string its highlights, in order, with something between any two.
    public func highlights(in strings: [String]) -> [[Highlight]] {
        locatedMatches(in: strings).map { $0.map(\.highlight) }
    }

    /// Returns the ranges of the object's own strings that the search matched, as
    /// ``highlights(in:)`` does.
    ///
    /// - Returns: For each of ``strings()`` its highlights, in order.
    /// - Throws: What ``strings()`` throws.
    public func highlights() throws -> [[Highlight]] { highlights(in: try strings()) }

    /// Returns the object's strings: fetches the object, and what to index of it. They are not
    /// kept.
    ///
    /// They are the indexed ones as long as the object has not changed.
    ///
    /// - Returns: The strings; none if the object is gone or is no longer to be indexed.
    /// - Throws: ``TextIndexError/Code/missingHook`` if the index has no object getter or indexer;
    ///   what they throw.
    public func strings() throws -> [String] {
        // What was in the way of the object is told by another try.
        guard let object = try object ?? index.object(for: identifier) else { return [] }
        return try index.indexedObject(for: object, identifier: identifier)?.strings ?? []
    }

    /// The merged matches with the clauses of the query that they are matches of.
    func locatedMatches(in strings: [String]) -> [[LocatedMatch]] {
        var ranges = [[(range: Range<String.Index>, clauses: UInt64)]](
            repeating: [], count: strings.count)
        for token in resultTokens + furtherTokens
        where strings.indices.contains(token.string) {
            let string = strings[token.string]
            guard let range = range(of: token, in: string), !range.isEmpty else { continue }
            ranges[token.string].append((string.wholeCharacters(range), token.clauses))
        }
        return zip(strings, ranges).map { LocatedMatch.merged($1, in: $0) }
    }
}

/// A highlight with the clauses of the query that it shows.
struct LocatedMatch {
    var highlight: Highlight
    var clauses: UInt64

    /// Joins ranges that overlap or touch.
    static func merged(
        _ ranges: [(range: Range<String.Index>, clauses: UInt64)], in string: String
    ) -> [LocatedMatch] {
        let sorted = ranges.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        var merged: [(range: Range<String.Index>, clauses: UInt64)] = []
        for next in sorted {
            if let last = merged.last, next.range.lowerBound <= last.range.upperBound {
                let end = max(last.range.upperBound, next.range.upperBound)
                merged[merged.count - 1] = (
                    last.range.lowerBound..<end, last.clauses | next.clauses
                )
            } else {
                merged.append(next)
            }
        }
        return merged.map {
            LocatedMatch(highlight: Highlight($0.range, in: string), clauses: $0.clauses)
        }
    }
}

extension String {
    /// The range widened to whole characters.
    func wholeCharacters(_ range: Range<Index>) -> Range<Index> {
        func isBoundary(_ place: Index) -> Bool {
            if place == endIndex || place == startIndex { return true }
            // Between two ASCII characters, the usual case, Unicode need not be asked.
            let (before, next) = (utf8[utf8.index(before: place)], utf8[place])
            if before < 0x80, next < 0x80 { return !(before == 0x0d && next == 0x0a) }
            return Index(place, within: self) != nil
        }
        let lower =
            isBoundary(range.lowerBound)
            ? range.lowerBound : index(before: index(after: range.lowerBound))
        let upper = isBoundary(range.upperBound) ? range.upperBound : index(after: range.upperBound)
        return lower..<upper
    }
}
