import CPrefetch

extension Array where Element: BitwiseCopyable {
    /// Has the memory of an element fetched, which somebody reads soon.
    @inline(__always)
    func prefetch(_ index: Int) {
        withUnsafeBufferPointer {
            guard $0.indices.contains(index), let base = $0.baseAddress else { return }
            cprefetch_read(base + index)
        }
    }
}
