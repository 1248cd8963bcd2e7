/// A set of short byte strings that is asked without allocating.
struct ByteSet: Sendable, Equatable {
    /// The members end to end, by place, then in byte order.
    private let bytes: [UInt8]
    /// Where each member begins in `bytes`, and the end of the last one.
    private let starts: [Int]
    /// The number of the first member of each place, and the number of members. Most words that are
    /// not members end here.
    private let firsts: [UInt32]

    /// Lengths from here on share their places.
    private static let longest = 63

    init(_ members: some Sequence<[UInt8]>) {
        let members = Set(members).filter { !$0.isEmpty }
        let sorted = members.map { (place: Self.place(length: $0.count, first: $0[0]), bytes: $0) }
            .sorted {
                $0.place != $1.place
                    ? $0.place < $1.place : $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
        bytes = sorted.flatMap(\.bytes)
        starts = sorted.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
        // No places for lengths that no member has.
        let longest = members.reduce(0) { max($0, $1.count) }
        var firsts = [UInt32](repeating: 0, count: Self.place(length: longest, first: .max) + 2)
        for member in sorted { firsts[member.place + 1] += 1 }
        for place in 1..<firsts.count { firsts[place] += firsts[place - 1] }
        self.firsts = firsts
    }

    init(union sets: [ByteSet]) { self.init(sets.flatMap(\.members)) }

    var members: [[UInt8]] {
        zip(starts, starts.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    @inline(__always)
    private static func place(length: Int, first: UInt8) -> Int {
        min(length, longest) &* 256 &+ Int(first)
    }

    /// Complexity: logarithmic in the members of the same length and first byte.
    @inline(__always)
    func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        guard word.count > 0 else { return false }
        let place = Self.place(length: word.count, first: word[0])
        guard place &+ 1 < firsts.count else { return false }
        let low = firsts[place]
        let high = firsts[place &+ 1]
        return low < high && contains(word, between: Int(low), and: Int(high))
    }

    func contains(_ word: [UInt8]) -> Bool {
        word.withUnsafeBufferPointer { contains($0) }
    }

    private func contains(
        _ word: UnsafeBufferPointer<UInt8>, between low: Int, and high: Int
    ) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            func order(_ member: Int) -> Int {
                TermOrder.compare(
                    UnsafeBufferPointer(rebasing: bytes[starts[member]..<starts[member + 1]]), word)
            }
            let place = (low..<high).firstPlace { order($0) >= 0 }
            return place < high && order(place) == 0
        }
    }
}
