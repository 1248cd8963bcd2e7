/// Where a string has to be cut into words to choose snippets: around its matches, as far as a
/// snippet reaches.
///
/// A stretch begins and ends at a *fresh place*: a word begins there, whatever stands before, since
/// the sign before it belongs to no word. Between a match and the ends of its stretch lie as many
/// units as a snippet may have, and one more, which is not used: the signs at it may lie outside.
struct SnippetStretches {
    private let text: UnsafeBufferPointer<UInt8>
    private let string: String
    private let length: SnippetLength
    private let tables = UnicodeTables.shared

    /// The stretches of a string, in order, with what lies between them left out; of one without
    /// matches the beginning.
    ///
    /// Complexity: linear in the matches times `length`, and never more than linear in the string.
    ///
    /// - Parameters:
    ///   - string: a string.
    ///   - matches: what it shows, in order.
    ///   - length: how long a snippet may be.
    /// - Returns: Ranges of its UTF-8.
    static func find(
        in string: String, around matches: [Highlight], _ length: SnippetLength
    ) -> [Range<Int>] {
        var bytes = string
        return bytes.withUTF8 { text in
            let stretches = SnippetStretches(text: text, string: string, length: length)
            return matches.isEmpty ? stretches.beginning() : stretches.find(matches)
        }
    }

    private init(text: UnsafeBufferPointer<UInt8>, string: String, length: SnippetLength) {
        self.text = text
        self.string = string
        self.length = length
    }

    /// What a snippet of the first words may reach: signs before them may be many.
    private func beginning() -> [Range<Int>] {
        guard let first = text.indices.first(where: { beginsWord($0) }) else {
            return text.isEmpty ? [] : [text.indices]
        }
        let place = string.utf8.index(string.startIndex, offsetBy: first)
        return [0..<(end(after: place, first, upTo: text.count) ?? text.count)]
    }

    private func find(_ matches: [Highlight]) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var number = 0
        while number < matches.count {
            let first = matches[number]
            let limit = stretches.last?.upperBound ?? 0
            let lower = start(before: first.range.lowerBound, first.utf8Range.lowerBound, limit)
            // Matches that one snippet may show together are in one stretch.
            var end: Int?
            while number < matches.count, end == nil {
                let match = matches[number]
                number += 1
                let next =
                    number < matches.count ? matches[number].utf8Range.lowerBound : text.count
                end = self.end(
                    after: match.range.upperBound, match.utf8Range.upperBound, upTo: next)
            }
            let upper = end ?? text.count
            if let last = stretches.last, lower == nil {
                stretches[stretches.count - 1] = last.lowerBound..<upper
            } else {
                stretches.append((lower ?? 0)..<upper)
            }
        }
        return stretches
    }

    // MARK: Ends

    /// Where a stretch begins whose first match is at `offset`; nil where that is not after
    /// `limit`.
    private func start(before place: String.Index, _ offset: Int, _ limit: Int) -> Int? {
        var (offset, count) = (offset, 2)
        switch length {
        case .words(let words): count = freshPlaces(words)
        case .characters(let most):
            let steps = max(most, 1)
            guard
                let start = string.index(
                    place, offsetBy: -steps, limitedBy: string.startIndex)
            else { return nil }
            offset = string.utf8.distance(from: string.startIndex, to: start)
        }
        while offset > limit {
            if isFresh(offset) {
                count -= 1
                if count == 0 { return offset }
            }
            offset -= 1
        }
        return nil
    }

    /// Where a stretch ends whose last match ends at `offset`; nil where that is not before
    /// `limit`.
    private func end(after place: String.Index, _ offset: Int, upTo limit: Int) -> Int? {
        var (offset, count) = (offset + 1, 2)
        switch length {
        case .words(let words): count = freshPlaces(words)
        case .characters(let most):
            let bound = string.utf8.index(place, offsetBy: max(limit - offset + 1, 0))
            guard let end = string.index(place, offsetBy: max(most, 1), limitedBy: bound)
            else { return nil }
            offset += string.utf8.distance(from: place, to: end) - 1
        }
        while offset < limit {
            if isFresh(offset) {
                count -= 1
                if count == 0 { return offset }
            }
            offset += 1
        }
        return nil
    }

    /// How many are to be passed over so that there are as many units as a snippet may have besides
    /// that of the match and the last.
    private func freshPlaces(_ words: Int) -> Int { min(max(words, 1), text.count) + 2 }

    /// Whether a word begins here, after a sign that no word holds and that ends what came before.
    private func isFresh(_ offset: Int) -> Bool {
        guard offset > 0, beginsWord(offset) else { return false }
        var start = offset - 1
        while start > 0, offset - start < 4, text[start] & 0xc0 == 0x80 { start -= 1 }
        return endsWords(UTF8Decoding.scalar(at: start, in: text).scalar)
    }

    private func beginsWord(_ offset: Int) -> Bool {
        guard text[offset] & 0xc0 != 0x80 else { return false }
        let next = tables.properties(UTF8Decoding.scalar(at: offset, in: text).scalar)
        guard Self.beginsCharacter(next.graphemeBreak) else { return false }
        switch next.wordBreak {
        case .aLetter, .hebrewLetter, .numeric, .katakana, .other:
            return next.isLetterOrNumber || next.isSpaceless
        default: return next.isSpaceless
        }
    }

    private static func beginsCharacter(_ kind: GraphemeBreakClass) -> Bool {
        switch kind {
        case .other, .l, .lv, .lvt: true
        default: false
        }
    }

    private func endsWords(_ scalar: UInt32) -> Bool {
        let sign = tables.properties(scalar)
        switch sign.wordBreak {
        case .cr, .lf, .newline, .wSegSpace: return true
        case .other:
            // A space of no width may stand within a run.
            return !sign.isLetterOrNumber && !sign.isSpaceless && scalar != 0x200b
                && sign.graphemeBreak != .prepend
        default: return false
        }
    }
}
