/// The parts of the joined words of a segment, as *miniport* of *miniport.h*: what a typed word may
/// be near to without being near to a word.
///
/// **Thread safety**: immutable.
struct JoinedParts: Sendable {
    /// The parts end to end, in byte order, each once.
    private let bytes: [UInt8]
    private let starts: [UInt32]
    /// Of each part a bit for each letter that it has.
    private let letters: [UInt32]

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
            for part in term.split(whereSeparator: Self.isSign)
            where (Self.shortest...Self.longest).contains(part.count)
                && !part.contains(where: QuerySyntax.isDigit)
            {
                found.insert(Array(part))
            }
        }
        let sorted = found.sorted { $0.lexicographicallyPrecedes($1) }
        var bytes: [UInt8] = []
        var starts: [UInt32] = [0]
        for part in sorted {
            bytes += part
            starts.append(UInt32(bytes.count))
        }
        letters = sorted.map { $0.withUnsafeBufferPointer(Self.letters) }
        self.bytes = bytes
        self.starts = starts
    }

    /// What joins parts: signs of ASCII, as others are folded.
    private static func isSign(_ byte: UInt8) -> Bool {
        byte < 0x80 && !QuerySyntax.isAlphanumeric(byte)
    }

    private static func letters(_ part: UnsafeBufferPointer<UInt8>) -> UInt32 {
        part.reduce(0) { $0 | 1 << UInt32($1 & 31) }
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
        let place = letters.indices.firstPlace { number in
            withPart(number) { !$0.lexicographicallyPrecedes(word) }
        }
        return place < letters.count && withPart(place) { $0.elementsEqual(word) }
    }

    /// Calls `body` with each part that is near to a word, and the edits between them.
    ///
    /// Complexity: linear in their number: a look at the letters of each, and at all of those that
    /// have nearly the same ones.
    func forEach(
        near word: [UInt8], _ matcher: FuzzyMatcher, distance: Int,
        work: (_ units: Int) throws -> Void, _ body: ([UInt8], _ edits: Int) -> Void
    ) rethrows {
        let wanted = word.withUnsafeBufferPointer(Self.letters)
        // An edit takes one letter away and brings another one; a character may have four bytes.
        let isASCII = word.allSatisfy { $0 < 0x80 }
        for number in letters.indices {
            if number & 1_023 == 0 { try work(256) }
            if isASCII {
                let length = Int(starts[number + 1] - starts[number])
                guard (letters[number] ^ wanted).nonzeroBitCount <= 2 * distance,
                    abs(length - word.count) <= distance
                else { continue }
            }
            withPart(number) { part in
                if let edits = matcher.matches(part), edits > 0 { body(Array(part), edits) }
            }
        }
    }
}
