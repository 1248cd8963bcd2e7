/// The collation elements of a text, in order, and the key that they make.
///
/// Weights are those of the root collation of CLDR for Unicode 15, where spaces and punctuation
/// count, and come before digits and letters (non-ignorable). A value is used for many texts, so
/// that its memory is taken once.
struct CollationElements {
    private(set) var elements: [UInt32] = []
    /// The canonical decomposition of the text.
    private var scalars: [UInt32] = []
    private let tables = CollationTables.shared

    /// A mark that was taken by a letter before it.
    private static let taken = UInt32.max
    /// So many marks after a letter are looked at: those of more are no text (UAX #15, Stream-Safe
    /// Text Format, knows 30).
    private static let mostMarks = 32

    /// Reads a text.
    ///
    /// Complexity: linear in the text, but for the order of marks in a row.
    mutating func read(_ text: some Sequence<Unicode.Scalar>) {
        elements.removeAll(keepingCapacity: true)
        decompose(text)
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            if scalar == Self.taken { continue }
            let entry = tables.entry(scalar)
            if entry == 0 {
                let (first, second) = tables.ruled(scalar)
                elements.append(first)
                elements.append(second)
                continue
            }
            let start = Int(entry & CollationTables.placeMask)
            switch CollationTables.Kind(rawValue: entry >> 30) {
            case .expansion: append(at: start)
            case .contractions: appendLongest(at: start, &place)
            default: elements.append(entry)
            }
        }
    }

    /// The elements that lie in the pool at a place, behind their count.
    private mutating func append(at place: Int) {
        for number in 0..<Int(tables.pool[place]) {
            elements.append(tables.pool[place + 1 + number])
        }
    }

    // MARK: Decomposition

    private mutating func decompose(_ text: some Sequence<Unicode.Scalar>) {
        scalars.removeAll(keepingCapacity: true)
        var hasMarks = false
        for scalar in text {
            let scalar = scalar.value
            if scalar < 0xc0 {
                scalars.append(scalar)
            } else if 0xac00..<0xd7a4 ~= scalar {
                let syllable = scalar - 0xac00
                scalars.append(0x1100 + syllable / 588)
                scalars.append(0x1161 + syllable % 588 / 28)
                if syllable % 28 != 0 { scalars.append(0x11a7 + syllable % 28) }
            } else {
                let entry = tables.entry(scalar)
                hasMarks = hasMarks || scalar >= 0x300
                guard CollationTables.Kind(rawValue: entry >> 30) == .decomposition else {
                    scalars.append(scalar)
                    continue
                }
                let place = Int(entry & CollationTables.placeMask)
                for number in 0..<Int(tables.pool[place]) {
                    scalars.append(tables.pool[place + 1 + number])
                }
                hasMarks = true
            }
        }
        if hasMarks { orderMarks() }
    }

    @inline(__always)
    private static func combiningClass(_ scalar: UInt32) -> UInt8 {
        scalar < 0x300 ? 0 : UnicodeTables.shared.properties(scalar).combiningClass
    }

    /// Canonical order: by combining class, those of one class as they are.
    private mutating func orderMarks() {
        var start = 0
        while start < scalars.count {
            guard Self.combiningClass(scalars[start]) > 0 else {
                start += 1
                continue
            }
            var end = start + 1
            while end < scalars.count, Self.combiningClass(scalars[end]) > 0 { end += 1 }
            if end - start > 1 {
                let ordered = scalars[start..<end].enumerated().sorted { a, b in
                    let (one, other) = (
                        Self.combiningClass(a.element), Self.combiningClass(b.element)
                    )
                    return one != other ? one < other : a.offset < b.offset
                }
                for (number, mark) in ordered.enumerated() {
                    scalars[start + number] = mark.element
                }
            }
            start = end
        }
    }

    // MARK: Contractions

    /// Appends the elements of the longest sequence that begins with the scalar before `place`, of
    /// which the pool has the sequences at `start`.
    ///
    /// Marks may belong to it with others between them (UTS #10, S2.1).
    private mutating func appendLongest(at start: Int, _ place: inout Int) {
        let pool = tables.pool
        var found = start
        let first = start + 1 + Int(pool[start])
        var suffix: [UInt32] = []
        forEachSequence(at: first) { sequence, elements in
            let end = place + sequence.count
            guard end <= scalars.count, scalars[place..<end].elementsEqual(pool[sequence]) else {
                return true
            }
            found = elements
            suffix = Array(pool[sequence])
            return false
        }
        place += suffix.count
        var last: UInt8 = 0
        for next in place..<min(place + Self.mostMarks, scalars.count) {
            let mark = scalars[next]
            if mark == Self.taken { continue }
            let own = Self.combiningClass(mark)
            if own == 0 { break }
            // One of the same class in between keeps it from the letter.
            if own == last { continue }
            var isTaken = false
            forEachSequence(at: first) { sequence, elements in
                guard sequence.count == suffix.count + 1, pool[sequence.upperBound - 1] == mark,
                    pool[sequence].dropLast().elementsEqual(suffix)
                else { return true }
                found = elements
                isTaken = true
                return false
            }
            if isTaken {
                suffix.append(mark)
                scalars[next] = Self.taken
            } else {
                last = own
            }
        }
        append(at: found)
    }

    /// Calls `body` with where the further scalars of each sequence are in the pool, and with the
    /// place of its elements, until it is false.
    private func forEachSequence(
        at first: Int, _ body: (_ sequence: Range<Int>, _ elements: Int) -> Bool
    ) {
        let pool = tables.pool
        var place = first + 1
        for _ in 0..<Int(pool[first]) {
            let sequence = (place + 1)..<(place + 1 + Int(pool[place]))
            guard body(sequence, sequence.upperBound) else { return }
            place = sequence.upperBound + 1 + Int(pool[sequence.upperBound])
        }
    }

    // MARK: Keys

    /// Appends bytes of which the order is that of the texts: the primary weights, the secondary
    /// and the tertiary ones, with zeros behind each.
    ///
    /// The usual secondary and tertiary weights are the least ones, so those at the end may be left
    /// out.
    func appendKey(to key: inout [UInt8]) {
        for element in elements where element >> 14 != 0 {
            key.append(UInt8(truncatingIfNeeded: element >> 22))
            key.append(UInt8(truncatingIfNeeded: element >> 14))
        }
        key.append(0)
        key.append(0)
        var end = key.count
        for element in elements where element >> 5 & 0x1ff != 0 {
            let weight = element >> 5 & 0x1ff
            key.append(UInt8(truncatingIfNeeded: weight >> 8))
            key.append(UInt8(truncatingIfNeeded: weight))
            if weight != 0x20 { end = key.count }
        }
        key.removeLast(key.count - end)
        key.append(0)
        key.append(0)
        end = key.count
        for element in elements where element & 0x1f != 0 {
            key.append(UInt8(truncatingIfNeeded: element & 0x1f))
            if element & 0x1f != 2 { end = key.count }
        }
        key.removeLast(key.count - end)
        key.append(0)
    }
}
