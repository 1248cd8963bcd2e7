/// A part of a text on one line, with the matches in it.
struct Snippet: Equatable {
    /// A piece of the line, matched or not.
    struct Piece: Equatable {
        var text: String
        var isMatch: Bool
    }

    var pieces: [Piece]

    /// The line without marks.
    var text: String { pieces.map(\.text).joined() }
}

/// Chooses and cuts the parts of a text that show its matches best.
///
/// Complexity: O(matches + count × width), however long the text is.
struct SnippetMaker {
    /// How many characters a snippet shows.
    let width: Int
    /// How many snippets to make of one object.
    let count: Int

    /// Cuts snippets.
    ///
    /// - Parameters:
    ///   - text: the whole text.
    ///   - ranges: the matches, in text order; they may overlap.
    /// - Returns: at most `count` snippets in text order, those with the most different matches.
    ///   Without matches the beginning of the text.
    func snippets(of text: String, ranges: [Range<String.Index>]) -> [Snippet] {
        guard count > 0, width > 0 else { return [] }
        let matches = Self.merged(ranges)
        guard !matches.isEmpty else {
            let start = text[...].drop { $0.isWhitespace }.startIndex
            let end = text.index(start, offsetBy: width, limitedBy: text.endIndex) ?? text.endIndex
            let snippet = cut(text, start..<end, [])
            return snippet.text.isEmpty ? [] : [snippet]
        }
        return windows(text, matches).map { window in
            let shown = matches[window]
            return cut(text, frame(text, shown), Array(shown))
        }
    }

    /// Joins matches that overlap or touch.
    static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
        var merged: [Range<String.Index>] = []
        for range in ranges where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = min(last.lowerBound, range.lowerBound)..<end
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Groups of neighbouring matches that fit on a line: the fullest groups, in text order.
    private func windows(_ text: String, _ matches: [Range<String.Index>]) -> [Range<Int>] {
        let utf8 = text.utf8
        var groups: [Range<Int>] = []
        var start = 0
        for next in 1...matches.count {
            let isFull =
                next == matches.count
                || utf8.distance(
                    from: matches[start].lowerBound, to: matches[next].upperBound) > width * 3 / 4
            if isFull {
                groups.append(start..<next)
                start = next
            }
        }
        let fullness = groups.map { group in
            let words = Set(matches[group].map { text[$0].lowercased() })
            return (distinct: words.count, all: group.count)
        }
        // Different words say more than one word repeated; of equally full groups the earlier.
        let best = groups.enumerated()
            .sorted {
                let (a, b) = (fullness[$0.offset], fullness[$1.offset])
                return (b.distinct, b.all, $0.offset) < (a.distinct, a.all, $1.offset)
            }
            .prefix(count)
        return best.sorted { $0.offset < $1.offset }.map(\.element)
    }

    /// The part of the text around matches: as much before as after, cut between words.
    private func frame(
        _ text: String, _ matches: ArraySlice<Range<String.Index>>
    ) -> Range<String.Index> {
        guard let first = matches.first?.lowerBound, let last = matches.last?.upperBound else {
            return text.startIndex..<text.startIndex
        }
        let limit = text.index(first, offsetBy: width, limitedBy: text.endIndex) ?? text.endIndex
        let end = min(last, limit)
        let room = width - text.distance(from: first, to: end)
        // Half of the room before the matches and half after; what one side does not need goes to
        // the other.
        let half =
            text.index(end, offsetBy: room / 2, limitedBy: text.endIndex) ?? text.endIndex
        let wanted = room - text.distance(from: end, to: half)
        var lower =
            text.index(first, offsetBy: -wanted, limitedBy: text.startIndex) ?? text.startIndex
        let before = text.distance(from: lower, to: first)
        var upper =
            text.index(end, offsetBy: room - before, limitedBy: text.endIndex) ?? text.endIndex
        if lower > text.startIndex,
            let space = text[lower..<first].prefix(20).firstIndex(where: \.isWhitespace)
        {
            lower = space
        }
        if upper < text.endIndex,
            let space = text[end..<upper].suffix(20).lastIndex(where: \.isWhitespace)
        {
            upper = space
        }
        return lower..<upper
    }

    private func cut(
        _ text: String, _ frame: Range<String.Index>, _ matches: [Range<String.Index>]
    ) -> Snippet {
        var pieces: [Snippet.Piece] = []
        var line = Printable.Pieces()
        func append(_ part: Substring, isMatch: Bool) {
            // One character can be millions of scalars: a letter with marks, an endless emoji.
            let scalars = part.unicodeScalars
            let room = width * 16
            let shown = pieces.isEmpty ? scalars.suffix(room) : scalars.prefix(room)
            var text = line.next(Substring(shown))
            if isMatch, text.hasPrefix(" ") {
                // The space before a match is not part of it.
                text.removeFirst()
                pieces.append(Snippet.Piece(text: " ", isMatch: false))
            }
            if !text.isEmpty { pieces.append(Snippet.Piece(text: text, isMatch: isMatch)) }
        }
        var position = frame.lowerBound
        for match in matches {
            let match = match.clamped(to: frame)
            append(text[position..<match.lowerBound], isMatch: false)
            append(text[match], isMatch: true)
            position = match.upperBound
        }
        append(text[position..<frame.upperBound], isMatch: false)
        if frame.lowerBound > text.startIndex, !line.isEmpty {
            pieces.insert(Snippet.Piece(text: "… ", isMatch: false), at: 0)
        }
        if frame.upperBound < text.endIndex, !line.isEmpty {
            pieces.append(Snippet.Piece(text: " …", isMatch: false))
        }
        return Snippet(pieces: pieces)
    }
}
