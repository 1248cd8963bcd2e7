/// Memory segments that inner loops look into one after the other, without a reference being
/// counted each time.
struct SegmentRow: Sendable {
    /// Holds them.
    private let segments: [MemorySegment]
    private let borrowed: [Borrowed]

    /// Unchecked, as `Unmanaged` is not said to be `Sendable`: what it points to is, and the row
    /// holds that for as long as it is there.
    private struct Borrowed: @unchecked Sendable {
        let reference: Unmanaged<MemorySegment>
    }

    init(_ segments: [MemorySegment]) {
        self.segments = segments
        borrowed = segments.map { Borrowed(reference: .passUnretained($0)) }
    }

    var count: Int { segments.count }

    /// Lends a segment.
    @inline(__always)
    func with<R, E: Error>(
        _ place: Int, _ body: (borrowing MemorySegment) throws(E) -> R
    ) throws(E) -> R {
        defer { withExtendedLifetime(segments) {} }
        let reference = borrowed[place].reference
        let result = reference._withUnsafeGuaranteedRef { segment -> Result<R, E> in
            do throws(E) { return .success(try body(segment)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
