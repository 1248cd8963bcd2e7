import CUnicode
import Synchronization

/// Folds scalars step by step, for an index that leaves some kinds of folding out.
///
/// The precomputed folds of `UnicodeTables` are what these steps lead to when all of them are
/// taken; a test holds them to that.
///
/// **Thread safety**: an immutable value.
struct FoldSteps: Sendable {
    /// Kinds of steps. Stored by the generator; never renumber.
    private enum Kind: UInt32 {
        case canonical = 1
        case width, compatibility, letterCase, letter, punctuation, diacritic, point, invisible

        var option: Folding? {
            switch self {
            case .canonical: nil
            case .width: .width
            case .compatibility: .compatibility
            case .letterCase: .letterCase
            case .letter: .letters
            case .punctuation: .punctuation
            case .diacritic: .diacritics
            case .point: .points
            case .invisible: .invisible
            }
        }
    }

    private let folding: Folding
    private let data = UnicodeStepData.shared
    private let tables = UnicodeTables.shared

    init(_ folding: Folding) { self.folding = folding }

    /// What a scalar folds to, fully decomposed, marks in canonical order; nil when it has no step
    /// to take.
    ///
    /// Complexity: linear in the length of the fold.
    func fold(_ scalar: UInt32) -> [UInt32]? {
        guard step(scalar) != nil else { return nil }
        var done: [UInt32] = []
        var todo = [scalar]
        // No fold has more than a few dozen scalars; the bound keeps damaged tables from going on
        // for ever.
        var left = 256
        while let next = todo.popLast(), left > 0 {
            left -= 1
            if let result = step(next) {
                todo.append(contentsOf: result.reversed())
            } else {
                done.append(next)
            }
        }
        // Signs that stand on a space for want of a letter do without it.
        let properties = tables.properties(scalar)
        if properties.isLetterOrNumber || properties.combiningClass > 0 {
            done.removeAll { $0 == 0x20 }
        }
        return done
    }

    private func step(_ scalar: UInt32) -> ArraySlice<UInt32>? {
        guard let (number, result) = data.step(scalar), let kind = Kind(rawValue: number) else {
            return nil
        }
        guard let option = kind.option, !folding.contains(option) else { return result }
        guard let other = data.otherStep(scalar), folding.contains(.letterCase) else { return nil }
        return other
    }

    /// The canonical composite of two scalars that takes no step but being decomposed.
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if let syllable = Hangul.composite(first, second) { return syllable }
        guard let composite = data.composite(first, second),
            data.step(composite)?.kind == Kind.canonical.rawValue
        else { return nil }
        return composite
    }
}

/// What scalars fold to when some kinds of folding are left out.
///
/// Made once for each choice and never freed, as the choices are few.
///
/// **Thread safety**: immutable.
final class FoldTable: Sendable {
    private static let tables = Mutex<[UInt16: FoldTable]>([:])

    /// The table for a choice of foldings.
    ///
    /// Complexity: the first time, linear in the scalars of Unicode: some 10 ms.
    static func table(for folding: Folding) -> FoldTable {
        let choice = folding.rawValue & Folding.all.rawValue
        return tables.withLock { tables in
            if let table = tables[choice] { return table }
            let table = FoldTable(Folding(rawValue: choice))
            tables[choice] = table
            return table
        }
    }

    private let steps: FoldSteps
    private let ranges: [UInt32: Range<Int>]
    /// All folds, one after the other; never freed.
    private nonisolated(unsafe) let pool: UnsafeBufferPointer<UInt32>

    private init(_ folding: Folding) {
        steps = FoldSteps(folding)
        var ranges: [UInt32: Range<Int>] = [:]
        var pool: [UInt32] = []
        let tables = UnicodeTables.shared
        for scalar: UInt32 in 0..<0x110000 where tables.properties(scalar).isFolded {
            guard let fold = steps.fold(scalar) else { continue }
            ranges[scalar] = pool.count..<(pool.count + fold.count)
            pool += fold
        }
        let kept = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(pool.count, 1))
        _ = kept.initialize(from: pool.isEmpty ? [0] : pool)
        self.ranges = ranges
        self.pool = UnsafeBufferPointer(kept)
    }

    /// What a scalar folds to; nil for itself.
    func fold(_ scalar: UInt32) -> Slice<UnsafeBufferPointer<UInt32>>? {
        ranges[scalar].map { pool[$0] }
    }

    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        steps.composite(first, second)
    }
}

/// The generated steps, copied when they are first needed.
///
/// **Thread safety**: immutable.
final class UnicodeStepData: Sendable {
    static let shared = UnicodeStepData()

    private let blocks: [UInt16]
    private let values: [UInt16]
    private let pool: [UInt32]
    /// First, second, composite; sorted.
    private let compositions: [UInt32]

    private init() {
        blocks = Self.copy(cunicode_step_blocks())
        values = Self.copy(cunicode_step_values())
        pool = Array(UnicodeTables.buffer(cunicode_step_pool()))
        compositions = Array(UnicodeTables.buffer(cunicode_all_compositions()))
    }

    private static func copy(_ table: CUnicodeTable16) -> [UInt16] {
        Array(UnsafeBufferPointer(start: table.numbers, count: table.count))
    }

    func step(_ scalar: UInt32) -> (kind: UInt32, result: ArraySlice<UInt32>)? {
        place(of: scalar).flatMap(step(at:))
    }

    /// The step of case that a scalar takes when that of its form is left out.
    func otherStep(_ scalar: UInt32) -> ArraySlice<UInt32>? {
        guard let place = place(of: scalar), pool[place] & 0x10000 != 0 else { return nil }
        return step(at: place + 1 + Int(pool[place] & 0xff))?.result
    }

    private func place(of scalar: UInt32) -> Int? {
        let block = Int(scalar >> 7)
        guard block < blocks.count else { return nil }
        let index = Int(blocks[block]) << 7 | Int(scalar & 127)
        guard index < values.count, values[index] > 0, Int(values[index]) < pool.count else {
            return nil
        }
        return Int(values[index])
    }

    private func step(at place: Int) -> (kind: UInt32, result: ArraySlice<UInt32>)? {
        guard place < pool.count else { return nil }
        let end = place + 1 + Int(pool[place] & 0xff)
        guard end <= pool.count else { return nil }
        return (pool[place] >> 8 & 0xff, pool[(place + 1)..<end])
    }

    /// Complexity: logarithmic in the number of composites.
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        var low = 0
        var high = compositions.count / 3
        while low < high {
            let middle = (low + high) / 2
            let pair = (compositions[middle * 3], compositions[middle * 3 + 1])
            if pair == (first, second) { return compositions[middle * 3 + 2] }
            if pair < (first, second) { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
