/// What a set of shards is: enough to ask others for them.
package struct SetPlan: Equatable, Sendable {
    /// A mark of the set: that of another set, or of one with other content, differs.
    package let generation: String
    /// The names of all shards, in order.
    package let names: [String]

    /// A plan.
    package init(generation: String, names: [String]) {
        self.generation = generation
        self.names = names
    }
}

/// A shard that is served.
package struct ServedShard<Object>: Sendable {
    /// Its number in the set, from 0.
    package let number: Int
    /// Its index, with what the server has to know of its objects.
    package let served: ServedIndex<Object>
    /// Whether its files are still there.
    package let isThere: @Sendable () -> Bool

    /// A shard.
    package init(
        number: Int, served: ServedIndex<Object>, isThere: @escaping @Sendable () -> Bool
    ) {
        self.number = number
        self.served = served
        self.isThere = isThere
    }
}

/// A set of shards, of which some or all are served.
package struct ServedSet<Object>: Sendable {
    /// What the set is.
    package let plan: SetPlan
    /// Those that are served, in order.
    package let shards: [ServedShard<Object>]

    /// A set.
    package init(plan: SetPlan, shards: [ServedShard<Object>]) {
        self.plan = plan
        self.shards = shards
    }
}

/// Where a set comes from: how it is opened, and how a newer one is noticed.
package struct SetSource<Object>: Sendable {
    /// What the set is now.
    package let newest: @Sendable () throws -> SetPlan
    /// Opens it.
    package let open: @Sendable () throws -> ServedSet<Object>

    /// A source.
    package init(
        newest: @escaping @Sendable () throws -> SetPlan,
        open: @escaping @Sendable () throws -> ServedSet<Object>
    ) {
        self.newest = newest
        self.open = open
    }
}
