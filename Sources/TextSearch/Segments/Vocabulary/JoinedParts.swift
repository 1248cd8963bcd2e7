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
        var found = TermTable()
        forEachTerm { term in
            guard found.count < Self.most, term.contains(where: Self.isSign) else { return }
            var start = 0
            for end in 0...term.count where end == term.count || Self.isSign(term[end]) {
                Self.add(term[start..<end], to: &found)
                start = end + 1
            }
            // Without its sign, *whale's* would be a plural of *whale*.
            let last = term.reversed().drop(while: Self.isSign).prefix { !Self.isSign($0) }
            if last.count > 1 { Self.add(term.lazy.filter { !Self.isSign($0) }, to: &found) }
        }
        let sorted = Self.sorted(found)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(found.bytes.count)
        var starts: [UInt32] = [0]
        starts.reserveCapacity(sorted.count + 1)
        for number in sorted {
            found.withTerm(number) { bytes.append(contentsOf: $0) }
            starts.append(UInt32(bytes.count))
        }
        letters = bytes.withUnsafeBufferPointer { bytes in
            LetterFilter([sorted.count]) { _, number in
                LetterSet(
                    UnsafeBufferPointer(
                        rebasing: bytes[Int(starts[number])..<Int(starts[number + 1])]))
            }
        }
        self.bytes = bytes
        self.starts = starts
    }

    /// Adds a part that may be meant by a word.
    @inline(__always)
    private static func add(_ part: some Sequence<UInt8>, to found: inout TermTable) {
        let scratch = found.scratch()
        var count = 0
        for byte in part {
            if count == longest || QuerySyntax.isDigit(byte) { return }
            scratch[count] = byte
            count += 1
        }
        guard count >= shortest else { return }
        _ = found.intern(length: count) { _ in false }
    }

    /// The numbers of terms in their byte order.
    private static func sorted(_ terms: borrowing TermTable) -> [UInt32] {
        var entries = (0..<UInt32(terms.count)).map { number in
            (prefix: terms.withTerm(number) { TermOrder.prefix($0) }, number: number)
        }
        entries.sort { a, b in
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return terms.withTerm(a.number) { a in
                terms.withTerm(b.number) { TermOrder.compare(a, $0) < 0 }
            }
        }
        return entries.map(\.number)
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
