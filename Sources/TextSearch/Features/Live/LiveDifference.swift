public import Foundation

/// How the answer to a live query changed since the difference before; the first difference is one to no results at all.
///
/// What a list shows follows in two ways: ``applied(to:)`` gives the new list, or the changes are told to a view that animates them, as they are
/// told to `UICollectionView`: what is removed and from where something moves are ranks of the old answer, everything else is one of the new.
///
/// **Thread safety**: an immutable value.
public struct LiveDifference<Object>: Sendable {
    /// A result that is not in the answer any more.
    public struct Removal: Sendable, Hashable {
        /// The object's identifier.
        public let identifier: Data
        /// Where it was in the old answer.
        public let rank: Int
    }

    /// A result that changed its place among those that stayed.
    public struct Move: Sendable {
        /// The result as it is now; its `rank` is its place in the new answer.
        public let item: SearchResultItem<Object>
        /// Where it was in the old answer.
        public let oldRank: Int
    }

    /// What left the answer, the first first.
    public let removed: [Removal]
    /// What is new in the answer, the first first.
    public let inserted: [SearchResultItem<Object>]
    /// The fewest results that have to change places for the rest to be in order, by their new ranks. Who only slides along, because others
    /// come or go, is not among them.
    public let moved: [Move]
    /// Results that stay and whose objects were indexed anew, by their new ranks; some may have moved, too.
    public let updated: [SearchResultItem<Object>]
    /// The new answer, with the scores of now.
    public let items: [SearchResultItem<Object>]
    /// How many objects match now.
    public let totalCount: SearchResults<Object>.TotalCount
    /// Whether nothing was left out of the new answer for want of time, or because a pattern stands for too many words; see
    /// ``SearchResults/isComplete``.
    public let isComplete: Bool

    /// Whether the same results are in the same places, and none was indexed anew; only how many match has changed then, or whether that
    /// is all.
    public var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }

    /// The new answer, made from the old one by the changes.
    ///
    /// Results that are not among the changes stay as they are, with the scores that they had; ``items`` has those of now.
    ///
    /// Complexity: linear in the results.
    ///
    /// - Parameter old: the answer that the difference before led to; empty before the first. Of any other list the result makes no sense.
    /// - Returns: The new answer.
    public func applied(to old: [SearchResultItem<Object>]) -> [SearchResultItem<Object>] {
        let gone = Set(removed.map(\.rank)).union(moved.map(\.oldRank))
        var kept = old.indices.lazy.filter { !gone.contains($0) }.map { old[$0] }.makeIterator()
        var placed: [Int: SearchResultItem<Object>] = [:]
        for item in inserted + moved.map(\.item) + updated { placed[item.rank] = item }
        let fresh = Set(inserted.map(\.rank)).union(moved.map(\.item.rank))
        var result: [SearchResultItem<Object>] = []
        while true {
            let rank = result.count
            // What was updated where it was takes the place of its old form.
            let own = fresh.contains(rank) ? nil : kept.next()
            guard let item = placed[rank] ?? own else { return result }
            result.append(item)
        }
    }
}

/// A result as a live query remembers it.
struct ShownResult: Sendable, Hashable {
    var identifier: Data
    var document: UInt32

    init<Object>(_ item: SearchResultItem<Object>) {
        identifier = item.identifier
        document = item.document
    }
}

extension LiveDifference {
    /// The difference of two answers.
    ///
    /// Complexity: n log n in the results.
    init(
        from old: [ShownResult], to items: [SearchResultItem<Object>],
        totalCount: SearchResults<Object>.TotalCount, isComplete: Bool
    ) {
        let ranks = Dictionary(old.enumerated().map { ($1.identifier, $0) }) { first, _ in first }
        let oldRanks = items.map { ranks[$0.identifier] }
        let inOrder = Self.longestAscent(of: oldRanks.compactMap { $0 })
        let present = Set(oldRanks)
        removed = old.enumerated().compactMap { rank, result in
            present.contains(rank) ? nil : Removal(identifier: result.identifier, rank: rank)
        }
        var inserted: [SearchResultItem<Object>] = []
        var moved: [Move] = []
        var updated: [SearchResultItem<Object>] = []
        for (item, oldRank) in zip(items, oldRanks) {
            guard let oldRank else {
                inserted.append(item)
                continue
            }
            if !inOrder.contains(oldRank) { moved.append(Move(item: item, oldRank: oldRank)) }
            if old[oldRank].document != item.document { updated.append(item) }
        }
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
        self.items = items
        self.totalCount = totalCount
        self.isComplete = isComplete
    }

    /// The members of a longest ascending subsequence of distinct numbers (patience sorting).
    static func longestAscent(of numbers: [Int]) -> Set<Int> {
        /// The places of the least last numbers of ascents of each length.
        var tails: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous[place] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(place) } else { tails[low] = place }
        }
        var members: Set<Int> = []
        var place = tails.last
        while let current = place {
            members.insert(numbers[current])
            place = previous[current]
        }
        return members
    }
}
