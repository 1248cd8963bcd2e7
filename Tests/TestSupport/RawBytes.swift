@testable import TextSearch

extension [UInt8] {
    /// Lends the bytes in memory of exactly their size, so that a read past their end meets nothing
    /// valid.
    func withExactBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: self)
        return try body(UnsafeRawBufferPointer(copy))
    }

    /// Random bytes.
    static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
}

extension SeededGenerator {
    /// True once in `times`.
    mutating func once(in times: Int) -> Bool { int(1...times) == 1 }

    /// A number of up to `bits` bits, small ones as likely as large ones.
    mutating func number(upTo bits: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: next() >> 32) >> UInt32(32 - int(0...bits))
    }

    mutating func element<C: RandomAccessCollection>(_ elements: C) -> C.Element {
        elements[elements.index(elements.startIndex, offsetBy: int(0...(elements.count - 1)))]
    }
}
