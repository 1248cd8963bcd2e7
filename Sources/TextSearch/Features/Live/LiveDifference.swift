public import Foundation

/// How the answer to a live query changed since the previous difference. The first one inserts the
/// whole answer.
///
/// A list can follow in two ways: ``applied(to:)`` returns the new list, or a view animates the
/// changes, as `UICollectionView` does. Ranks of removed results and ``Move/oldRank`` count in the
/// old answer, all others in the new one.
///
/// **Thread safety**: an immutable value.
public struct LiveDifference<Object>: Sendable {
    /// A result that left the answer.
    public struct Removal: Sendable, Hashable {
        /// The identifier of the removed object.
        public let identifier: Data
        /// Its rank in the old answer, from 0.
        public let rank: Int
    }

    /// A result that changed its position among those that stayed.
    public struct Move: Sendable {
        /// The result as it is now. Its `rank` counts in the new answer.
        public let item: SearchResultItem<Object>
        /// Its rank in the old answer, from 0.
        public let oldRank: Int
    }

    /// The results that left the answer, by ascending rank.
    public let removed: [Removal]
    /// The results that are new in the answer, by ascending rank.
    public let inserted: [SearchResultItem<Object>]
    /// The fewest results that must move to put the rest in order, by their new ranks. Results that
    /// only shift because others come or go are not among them.
    public let moved: [Move]
    /// The results that stayed and whose objects were indexed again, by their new ranks. They may
    /// have moved too.
    public let updated: [SearchResultItem<Object>]
    /// The new answer, with its present scores.
    public let items: [SearchResultItem<Object>]
    /// How many objects match now, exactly or at least.
    public let totalCount: SearchResults<Object>.TotalCount
    /// Whether the new answer is complete. It is not if time ran out or a pattern stands for too
    /// many words; see ``SearchResults/isComplete``.
    public let isComplete: Bool

    /// Whether the list is unchanged: the same results in the same order, none indexed again.
    /// ``totalCount`` or ``isComplete`` may have changed.
    public var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }

    /// Returns the new answer, by applying the changes to the old one.
    ///
    /// Unchanged results keep their earlier scores; ``items`` has the present ones.
    ///
    /// Complexity: linear in the results.
    ///
    /// - Parameter old: the answer that the previous difference led to; empty for the first. Any
    ///   other list gives a meaningless result.
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
            let length = tails.firstPlace { numbers[$0] >= number }
            previous[place] = length > 0 ? tails[length - 1] : nil
            if length == tails.count { tails.append(place) } else { tails[length] = place }
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
