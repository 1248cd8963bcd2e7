extension IndexCopy {
    /// Writes what was learned of the objects that the copy has; what each object was chosen for
    /// follows from the queries.
    ///
    /// Memory: that of all engagements.
    func addEngagements(
        _ queries: [(query: [UInt8], engagements: QueryEngagements)],
        isAlive: ([UInt8]) throws -> Bool
    ) throws {
        var objects: [[UInt8]: EngagedObject] = [:]
        for (query, stored) in queries {
            var engagements = QueryEngagements()
            for (identifier, engagement) in stored.objects where try isAlive(identifier) {
                engagements.objects[identifier] = engagement
                objects[identifier, default: EngagedObject()].queries[query] = engagement.time
            }
            try add(engagements, query)
        }
        for (identifier, object) in objects { try add(object, identifier) }
    }

    /// Copies what was learned up to one committed state; throws when it is not what was written.
    func addEngagements(of view: VerificationView, _ store: IndexStore) throws {
        var found = EngagementTotals()
        var queries: [(query: [UInt8], engagements: QueryEngagements)] = []
        try view.cursor.forEach(in: .engagements) { key, value in
            found.insert(EntryDigest.of(key, value))
            queries.append((Array(key.dropFirst()), try QueryEngagements(key, value)))
            return true
        }
        try view.cursor.forEach(in: .engagedObjects) { key, value in
            found.insert(EntryDigest.of(key, value))
            return true
        }
        guard found == view.engagements else {
            throw TextIndexError.corrupted("what was learned")
        }
        var lookup = IdentifierLookup(store: store)
        try addEngagements(queries) { identifier in
            try identifier.withUnsafeBufferPointer {
                try lookup.document(for: $0, in: view.snapshot) != nil
            }
        }
    }
}
