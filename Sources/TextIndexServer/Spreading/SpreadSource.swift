package import TextIndexInterface
import TextSearch

/// When a second replica is asked.
package enum HedgeChoice: Sendable {
    case never
    /// After what 95 of 100 requests take.
    case usual
    case after(Duration)
}

/// The nodes that are searched as one index.
package struct SpreadSource: Sendable {
    /// Nodes that hold the same shards.
    package struct Group: Sendable {
        package let shards: ShardNumbers
        package let nodes: [NodeAddress]

        /// A group.
        package init(shards: ShardNumbers, nodes: [NodeAddress]) {
            self.shards = shards
            self.nodes = nodes
        }
    }

    package let groups: [Group]
    /// What the set is now.
    package let newest: @Sendable () throws -> SetPlan
    /// When a second replica is asked.
    package var hedging = HedgeChoice.usual
    /// Whether a search is refused where shards are missing.
    package var isStrict = false

    /// Nodes.
    ///
    /// - Throws: `TextIndexError` `.invalidArgument` where a shard is in two groups, or in none.
    package init(
        _ groups: [Group], newest: @escaping @Sendable () throws -> SetPlan
    ) throws {
        let plan = try newest()
        var known: Set<Int> = []
        for (place, group) in groups.enumerated() {
            guard !groups[..<place].contains(where: { $0.shards.overlaps(group.shards) }) else {
                throw TextIndexError(
                    .invalidArgument,
                    "Some of the shards \(group.shards) are those of other replicas too.")
            }
            guard group.shards.areOfSet(of: plan.names.count) else {
                throw TextIndexError(
                    .invalidArgument,
                    "The set has no shards \(group.shards); it has 0 to \(plan.names.count - 1).")
            }
            known.formUnion(group.shards.numbers(of: plan.names.count))
        }
        if let name = plan.names.indices.first(where: { !known.contains($0) }) {
            throw TextIndexError(.invalidArgument, "No replica is named for shard \(name).")
        }
        self.groups = groups
        self.newest = newest
    }
}
