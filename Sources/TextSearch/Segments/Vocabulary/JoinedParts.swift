/// The parts of the joined words of a segment, as *miniport* of *miniport.h*, and these words
/// without their signs, as *oconnor* of *o'connor*: what a typed word may be near to without being
/// near to a word.
///
/// **Thread safety**: immutable.
struct JoinedParts: Sendable {
    /// The parts end to end, in byte order, each once.
    private let bytes: [UInt8]
    private let starts: [UInt32]
    private let letters: LetterFilter

    /// Shorter parts are not corrected.
    private static let shortest = 4
    /// Longer ones are no words.
    private static let longest = 48
    /// More are not kept: to find them takes some 20 MB.
    private static let most = 1 << 18

    /// Reads terms; `forEachTerm` calls its argument with each.
    ///
    /// Complexity: linear in the terms, and sorts the parts.
    init(_ forEachTerm: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) {
        var found: Set<[UInt8]> = []
        forEachTerm { term in
            guard found.count < Self.most, term.contains(where: Self.isSign) else { return }
            let parts = term.split(whereSeparator: Self.isSign)
            // Without its sign, *whale's* would be a plural of *whale*.
            let whole = parts.last?.count ?? 0 > 1 ? [Array(parts.joined())] : []
            for part in parts.map(Array.init) + whole
            where (Self.shortest...Self.longest).contains(part.count)
                && !part.contains(where: QuerySyntax.isDigit)
            {
                found.insert(part)
            }
        }
        let sorted = found.sorted { $0.lexicographicallyPrecedes($1) }
        var bytes: [UInt8] = []
        var starts: [UInt32] = [0]
        for part in sorted {
            bytes += part
            starts.append(UInt32(bytes.count))
        }
        letters = LetterFilter([sorted.count]) { _, number in
            sorted[number].withUnsafeBufferPointer { LetterSet($0) }
        }
        self.bytes = bytes
        self.starts = starts
    }

    /// What joins parts: signs of ASCII, as others are folded.
    private static func isSign(_ byte: UInt8) -> Bool {
        byte < 0x80 && !QuerySyntax.isAlphanumeric(byte)
    }

    private func withPart<R>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(starts[number])..<Int(starts[number + 1])]))
        }
    }

    /// Whether a word is one of them.
    ///
    /// Complexity: logarithmic in their number.
    func contains(_ word: [UInt8]) -> Bool {
        let count = starts.count - 1
        let place = (0..<count).firstPlace { number in
            withPart(number) { !$0.lexicographicallyPrecedes(word) }
        }
        return place < count && withPart(place) { $0.elementsEqual(word) }
    }

    /// Calls `body` with each part that is near to a word, and the edits between them.
    ///
    /// Complexity: linear in their number, few of which are read.
    func forEach(
        near matcher: FuzzyMatcher, work: (_ units: Int) throws -> Void,
        _ body: ([UInt8], _ edits: Int) -> Void
    ) rethrows {
        try letters.forEachTerm(
            near: matcher.letters, distance: matcher.distance, work: work
        ) { _, number in
            withPart(number) { part in
                if let edits = matcher.matches(part), edits > 0 { body(Array(part), edits) }
            }
        }
    }
}
