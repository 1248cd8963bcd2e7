/// The fold of a word whose scalars each fold to one scalar and do not change each other, made
/// while the word is scanned.
///
/// Most words of most languages are like that; `isPlain` says whether this one is, and otherwise
/// `Folder` has to fold it. What it holds then is the same as what `Folder` gives, and the word is
/// regular.
struct PlainFold: ~Copyable {
    /// Marks in a row that are looked at; `Folder` sees to more.
    private static let maximumMarks = 16

    private(set) var count = 0
    private(set) var isPlain = true
    private var lastClass: UInt8 = 0
    private var marks = 0
    /// Room for a term and one scalar.
    private let storage: UnsafeMutablePointer<UInt8>

    init() {
        storage = .allocate(capacity: TermTable.maximumTermLength + 4)
        storage.initialize(repeating: 0, count: TermTable.maximumTermLength + 4)
    }

    deinit { storage.deallocate() }

    /// The folded bytes; only of use while `isPlain`.
    @inline(__always)
    borrowing func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        body(UnsafeBufferPointer(start: storage, count: count))
    }

    @inline(__always)
    mutating func removeAll() {
        count = 0
        isPlain = true
        lastClass = 0
        marks = 0
    }

    /// Drops the first bytes: those of characters that are done with.
    @inline(__always)
    mutating func removeFirst(_ number: Int) {
        guard number > 0, number <= count else { return }
        storage.update(from: storage + number, count: count - number)
        count -= number
    }

    /// The bytes are not the fold of the word at hand; until `restorePlain()`.
    @inline(__always)
    mutating func markIrregular() { isPlain = false }

    @inline(__always)
    mutating func restorePlain() { isPlain = true }

    /// Adds the fold of the word's next scalar.
    @inline(__always)
    mutating func append(
        _ scalar: UInt32, _ properties: ScalarProperties, _ tables: borrowing UnicodeTables
    ) {
        guard isPlain else { return }
        let kind = properties.combiningClass
        if properties.graphemeBreak == .extend || properties.graphemeBreak == .spacingMark {
            marks &+= 1
        } else {
            marks = 0
        }
        guard properties.isPlain, kind == 0 || kind >= lastClass, marks <= Self.maximumMarks
        else {
            isPlain = false
            return
        }
        lastClass = kind
        write(properties.isFolded ? tables.plainFold(scalar) : scalar)
        if count > TermTable.maximumTermLength { isPlain = false }
    }

    /// There is room: before this, `count` was at most the longest term.
    @inline(__always)
    private mutating func write(_ scalar: UInt32) {
        let output = storage + count
        if scalar < 0x80 {
            output[0] = UInt8(truncatingIfNeeded: scalar)
            count &+= 1
        } else if scalar < 0x800 {
            output[0] = UInt8(truncatingIfNeeded: 0xc0 | scalar >> 6)
            output[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f)
            count &+= 2
        } else if scalar < 0x10000 {
            output[0] = UInt8(truncatingIfNeeded: 0xe0 | scalar >> 12)
            output[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3f)
            output[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f)
            count &+= 3
        } else {
            output[0] = UInt8(truncatingIfNeeded: 0xf0 | scalar >> 18)
            output[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3f)
            output[2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3f)
            output[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3f)
            count &+= 4
        }
    }
}
