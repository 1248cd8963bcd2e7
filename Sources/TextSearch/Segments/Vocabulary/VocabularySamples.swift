/// Every so manieth term of a vocabulary by its first bytes, in one row: who looks for a beginning
/// learns there where its terms are, but for a few, in memory that stays near, while a search by
/// halves through the terms themselves waits for far memory at each step.
struct VocabularySamples: Sendable {
    /// One of so many terms is there, counted from the first of each part.
    private static let stride = 64
    /// Longer beginnings are not looked for here.
    static let longestPrefix = 8

    /// Numbers that compare as the first eight bytes do.
    private var words: [UInt64] = []
    /// Where in `words` those of each part begin, and behind the last one where another's would.
    private var firsts: [Int] = [0]

    /// A term, by its part and its number there.
    private struct Position {
        var part: Int
        var term: Int
    }

    /// Complexity: linear in the number of parts and of the terms taken.
    init(_ parts: [VocabularyPart]) {
        for part in parts {
            part.withTerms { terms in
                for term in Swift.stride(from: 0, to: part.termCount, by: Self.stride) {
                    words.append(TermOrder.prefix(terms[term]))
                }
            }
            firsts.append(words.count)
        }
    }

    /// Calls `body` with each of `parts`, which the samples are of, that has terms with a beginning
    /// of one to ``longestPrefix`` bytes, none of them 0; with its number, and where in it they
    /// are.
    ///
    /// Complexity: logarithmic in the number of terms, and linear in the parts that have them.
    func forEachRange(
        beginningWith prefix: UnsafeBufferPointer<UInt8>, in parts: [VocabularyPart],
        _ body: (_ part: VocabularyPart, _ number: Int, _ places: Range<Int>) throws -> Void
    ) rethrows {
        guard !words.isEmpty else { return }
        let least = TermOrder.prefix(prefix)
        let most = least | UInt64.max >> (8 * prefix.count)
        let (first, last) = words.withUnsafeBufferPointer { words in
            let first = words.firstPlace { $0 >= least }
            // Most beginnings have few terms for the vocabulary.
            return (first, words.firstPlace(from: first) { $0 > most })
        }
        let windows = (window(before: first, in: parts), window(before: last, in: parts))
        // Both wait for far memory: together, not one after the other.
        let isOne = first == last
        windows.0.fetchStarts(in: parts)
        if !isOne { windows.1.fetchStarts(in: parts) }
        windows.0.fetchTerms(in: parts)
        if !isOne { windows.1.fetchTerms(in: parts) }
        let start = windows.0.firstPosition(in: parts) { $0 >= least }
        let end = windows.1.firstPosition(in: parts) { $0 > most }
        for number in start.part...end.part {
            let first = number == start.part ? start.term : 0
            let last = number == end.part ? end.term : parts[number].termCount
            if first < last { try body(parts[number], number, first..<last) }
        }
    }

    /// Where the first term lies that a sample, and each behind it, may be behind.
    private func window(before sample: Int, in parts: [VocabularyPart]) -> Window {
        guard sample > 0 else { return Window(part: 0, terms: 0..<0) }
        // The sample before is not behind what is wanted: that lies between them, or at the end of
        // its part.
        let number = firsts.firstPlace { $0 >= sample } - 1
        let first = (sample - 1 - firsts[number]) * Self.stride + 1
        return Window(
            part: number,
            terms: first..<min(first - 1 + Self.stride, parts[number].termCount))
    }

    /// Neighbouring terms of a part.
    private struct Window {
        var part: Int
        var terms: Range<Int>

        func fetchStarts(in parts: [VocabularyPart]) {
            if !terms.isEmpty { parts[part].prefetchStarts(of: terms) }
        }

        func fetchTerms(in parts: [VocabularyPart]) {
            if !terms.isEmpty { parts[part].prefetchTerms(terms) }
        }

        /// The first of them that is behind something, as all after it are and none before; the
        /// place behind the last one, if none is.
        func firstPosition(
            in parts: [VocabularyPart], where isBehind: (UInt64) -> Bool
        ) -> Position {
            let term = parts[part].withTerms { all in
                terms.firstPlace { isBehind(TermOrder.prefix(all[$0])) }
            }
            return Position(part: part, term: term)
        }
    }
}
