import CPrefetch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A growable run of plain values with one owner, for the buffers that indexing fills.
///
/// Unlike `Array` it costs no uniqueness check on writes and no reference counting; every access is
/// bounds-checked. Without a capacity nothing is allocated before the first element. What is
/// allocated grows where it is when it can: its memory is `malloc`'s, as `UnsafeMutablePointer`
/// asks for aligned memory, which costs twice as much and cannot be resized.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    /// Of `malloc`, unless the capacity is 0: then it is never followed.
    private var base = UnsafeMutablePointer<Element>(bitPattern: alignment).unsafelyUnwrapped

    /// What `malloc` aligns to where words have 64 bits.
    private static var alignment: Int { 16 }

    init() {}

    /// With room for some elements.
    init(capacity: Int) {
        if capacity > 0 { move(to: capacity) }
    }

    init(repeating value: Element, count: Int) {
        self.init(capacity: count)
        base.initialize(repeating: value, count: count)
        self.count = count
    }

    deinit { if capacity > 0 { free(base) } }

    /// The bytes of memory held.
    var byteCount: Int { capacity * MemoryLayout<Element>.stride }

    /// The bytes of memory held once there is room for some more elements.
    func byteCount(adding additional: Int) -> Int {
        let needed = count + additional
        return (needed > capacity ? max(needed, capacity &* 2, 16) : capacity)
            * MemoryLayout<Element>.stride
    }

    var isEmpty: Bool { count == 0 }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return base[index]
        }
        set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            base[index] = newValue
        }
    }

    /// Has the memory of an element fetched, which somebody reads soon.
    @inline(__always)
    borrowing func prefetch(_ index: Int) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        cprefetch_read(base + index)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        base[count] = element
        count += 1
    }

    mutating func append(contentsOf other: UnsafeBufferPointer<Element>) {
        guard let source = other.baseAddress, other.count > 0 else { return }
        reserve(other.count)
        (base + count).update(from: source, count: other.count)
        count += other.count
    }

    /// Makes room for `additional` more elements.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if capacity - count < additional { grow(to: count + additional) }
    }

    mutating func removeAll() { count = 0 }

    mutating func removeLast(_ number: Int) {
        precondition(number <= count)
        count -= number
    }

    /// Takes an element out; those behind it move up.
    mutating func remove(at index: Int) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        for place in (index + 1)..<count { base[place - 1] = base[place] }
        count -= 1
    }

    /// Leaves the elements for which `isWanted` is 1 and not 0, in their order, without a branch
    /// for each.
    @inline(__always)
    mutating func keep(_ isWanted: (Element) -> Int) {
        var kept = 0
        for place in 0..<count {
            let element = base[place]
            base[kept] = element
            kept &+= isWanted(element) & 1
        }
        count = kept
    }

    /// Gives back what growth reserved beyond the contents.
    mutating func trim() {
        if capacity > count + count / 8 + 16 { move(to: max(count, 1)) }
    }

    /// The memory after the last element, `room` elements of it, for `commit(_:)` to take over.
    @inline(__always)
    mutating func tail(room: Int) -> UnsafeMutablePointer<Element> {
        reserve(room)
        return base + count
    }

    /// Makes the first `number` elements written to the tail part of the contents.
    @inline(__always)
    mutating func commit(_ number: Int) {
        precondition(capacity - count >= number)
        count += number
    }

    @inline(__always)
    borrowing func withElements<R: ~Copyable, E: Error>(
        _ body: (UnsafeBufferPointer<Element>) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeBufferPointer(start: base, count: count))
    }

    /// Lends `count` elements from `index` on, and what there is room for behind them.
    @inline(__always)
    borrowing func withMemory<R>(
        from index: Int, count number: Int, _ body: (UnsafePointer<Element>) -> R
    ) -> R {
        precondition(index >= 0 && number >= 0 && number <= count &- index)
        return body(base + index)
    }

    @inline(__always)
    mutating func withMutableElements<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableBufferPointer<Element>) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableBufferPointer(start: base, count: count))
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        move(to: max(needed, capacity &* 2, 16))
    }

    private mutating func move(to newCapacity: Int) {
        precondition(MemoryLayout<Element>.alignment <= Self.alignment)
        let (byteCount, overflow) = newCapacity.multipliedReportingOverflow(
            by: MemoryLayout<Element>.stride)
        guard !overflow, let moved = realloc(capacity > 0 ? base : nil, byteCount) else {
            preconditionFailure("There is no memory for \(newCapacity) elements.")
        }
        base = moved.assumingMemoryBound(to: Element.self)
        capacity = newCapacity
    }
}

// Unchecked for its pointer, which nobody else has: it cannot be copied, and who only borrows it
// cannot write to it.
extension Buffer: @unchecked Sendable where Element: Sendable {}
