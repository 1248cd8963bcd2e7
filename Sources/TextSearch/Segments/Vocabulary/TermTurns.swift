import Synchronization

/// The terms of a flush in slices, which threads take one after the other.
///
/// **Thread safety**: guarded; who comes while a slice is put in order waits for that, and orders
/// the next one.
final class TermTurns: Sendable {
    /// A slice in order, and the number of its first part.
    struct Turn {
        let terms: TermMerge
        let firstPart: Int
    }

    private let segments: [MemorySegment]
    private let slices: [TermSlice]
    private let state = Mutex(State())

    private struct State {
        var next = 0
        var nextPart = 0
    }

    init(_ segments: [MemorySegment], leastPostings: Int) {
        self.segments = segments
        slices = TermSlice.slices(of: segments, leastPostings: leastPostings)
    }

    /// What `body` gives. Where it throws, nobody gets a slice any more: all that was written is
    /// for nothing.
    func stoppingOnFailure<R>(_ body: () throws -> R) rethrows -> R {
        do { return try body() } catch {
            state.withLock { $0.next = slices.count }
            throw error
        }
    }

    /// The next slice; nil where all are taken.
    ///
    /// Complexity: n log s for n terms in s segments.
    func next() -> Turn? {
        state.withLock { state in
            guard state.next < slices.count else { return nil }
            let terms = TermMerge(segments, slices[state.next])
            let turn = Turn(terms: terms, firstPart: state.nextPart)
            state.next += 1
            // Behind the last one nobody needs the number.
            if state.next < slices.count { state.nextPart += TermWriter.partCount(of: terms) }
            return turn
        }
    }
}
