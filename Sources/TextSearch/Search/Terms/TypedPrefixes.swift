import Synchronization

/// What is known of the prefixes that were typed: the words of the last one that was read, which
/// the next one narrows, and the sums of those that were read of late, for anybody.
///
/// Both are of flushed segments, which never change; no state of the index is held.
///
/// **Thread safety**: guarded.
final class TypedPrefixes: Sendable {
    private let recent: RecentCache<PrefixCounts.Key, PrefixCounts>?
    private let last = Mutex<TypedWords?>(nil)

    init(_ caches: SearchCaches?) { recent = caches?.patterns.prefixes }

    func counts(of prefix: [UInt8], in segment: UInt32) -> PrefixCounts? {
        recent?.value(for: .init(segment: segment, prefix: prefix))
    }

    func keep(_ counts: PrefixCounts, of prefix: [UInt8], in segment: UInt32) {
        recent?.insert(
            counts, for: .init(segment: segment, prefix: prefix),
            byteCount: counts.byteCount + prefix.count)
    }

    /// The words that were kept last, if all words of some segments with a prefix are among them.
    func words(covering prefix: [UInt8], _ segments: [UInt32]) -> TypedWords? {
        last.withLock { $0 }.flatMap { $0.covers(prefix, segments) ? $0 : nil }
    }

    func keep(_ words: TypedWords) {
        if !words.isTooLarge { last.withLock { $0 = words } }
    }

    /// Lets go of the words.
    func forget() { last.withLock { $0 = nil } }
}
