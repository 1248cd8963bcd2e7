import Synchronization

/// What can be found of a search later, in the state of the index that it saw.
protocol PendingDetail: AnyObject, Sendable {
    /// Whether it holds that state.
    var isWaiting: Bool { get }

    /// Finds it, if nobody did, and lets go of that state.
    func settle()
}

/// The details that nobody asked for yet.
///
/// **Thread safety**: guarded.
final class PendingDetails: Sendable {
    private struct Entry {
        weak var detail: (any PendingDetail)?
    }

    private let entries = Mutex<[Entry]>([])
    /// More hold their state of the index only until others come.
    private static let most = 64

    func add(_ detail: some PendingDetail) {
        let tooMany: (any PendingDetail)? = entries.withLock { entries in
            var oldest: (any PendingDetail)?
            if entries.count >= Self.most {
                entries.removeAll { $0.detail?.isWaiting != true }
                if entries.count >= Self.most { oldest = entries.removeFirst().detail }
            }
            entries.append(Entry(detail: detail))
            return oldest
        }
        tooMany?.settle()
    }

    /// Has all of them found.
    func settle() {
        let all = entries.withLock { entries in
            defer { entries = [] }
            return entries.compactMap(\.detail)
        }
        for detail in all { detail.settle() }
    }
}
