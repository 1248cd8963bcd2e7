import Foundation

/// What belongs to no document and no segment.
extension Verifier {
    /// The manifest, the settings and the counters as stored, against the state in use.
    func examineMeta() throws {
        try forEachEntry(of: .meta) { key, value in
            switch Array(key) {
            case Manifest.key: try examineManifest(value)
            case LivingDocuments.key:
                if try LivingDocuments(value) != view.living {
                    report.add(.mismatch, .meta, "the stored count of objects is another one")
                }
            case IndexOpening.fingerprintKey:
                if !value.elementsEqual(IndexOpening.encode(view.fingerprint)) {
                    report.add(.mismatch, .meta, "the stored analysis settings are others")
                }
            case EngagementTotals.key:
                if try EngagementTotals(value) != view.engagements {
                    report.add(.mismatch, .meta, "the stored count of engagements is another one")
                }
            case RebuildWriter.rebuildKey: break
            case LostObjects.key: _ = try LostObjects.decode(value)
            case IndexIdentity.key:
                guard value.count == IndexIdentity.byteCount else { throw MalformedData() }
            case Uncertainty.key:
                _ = try Uncertainty(value)
                report.isUncertain = true
            case let name where name.starts(with: ClientStates.prefix):
                let known = view.clientStates[Array(name.dropFirst(ClientStates.prefix.count))]
                if try !Seal.content(key, value).elementsEqual(known ?? []) || known == nil {
                    report.add(.mismatch, .meta, key: Data(key), "the client state is another one")
                }
            default:
                report.add(.unexpected, .meta, key: Data(key), "a name that is not known")
            }
        }
        for (key, what) in [
            (Manifest.key, "the manifest is"), (LivingDocuments.key, "the count of objects is"),
            (IndexOpening.fingerprintKey, "the analysis settings are"),
            (Key.identifiersEnd, "the end mark of the identifiers is"),
        ] where try view.value(key) == nil {
            report.add(.missing, .meta, key: Data(key), "\(what) not there")
        }
        for name in view.clientStates.keys where try view.value(ClientStates.key(name)) == nil {
            report.add(
                .missing, .meta, key: Data(ClientStates.key(name)), "a client state is not there")
        }
        if !view.engagements.isEmpty, try view.value(EngagementTotals.key) == nil {
            report.add(.missing, .meta, "the count of engagements is not there")
        }
        if !rebuilt.isEmpty, try view.value(RebuildWriter.rebuildKey) == nil {
            report.add(.missing, .meta, "the settings of the unfinished rebuild are not there")
        }
    }

    private func examineManifest(_ value: UnsafeRawBufferPointer) throws {
        let stored: Manifest
        do {
            stored = try Manifest(value)
        } catch let error as TextIndexError {
            return report.add(.malformed, .meta, error.message)
        }
        if stored.segments != visible.map(\.manifest) || stored.rebuilt != rebuilt.map(\.manifest) {
            report.add(.mismatch, .meta, "the stored manifest names other segments")
        }
        if stored.nextDocument > view.nextDocument || stored.nextSegment > view.nextSegment {
            report.add(.mismatch, .meta, "the stored manifest has given more numbers")
        }
        if visible.contains(where: { $0.manifest.documents.upperBound > stored.watermark }) {
            report.add(.mismatch, .meta, "the watermark lies within a segment")
        }
    }

    /// Segments lie in order and do not overlap, and no number is above those that were given.
    func examineRanges() {
        let memory = view.snapshot.memory.map(\.documents)
        for ranges in [
            visible.map(\.manifest.documents) + memory, rebuilt.map(\.manifest.documents),
        ] {
            for (earlier, later) in zip(ranges, ranges.dropFirst())
            where earlier.upperBound > later.lowerBound {
                report.add(.mismatch, .meta, "segments overlap")
            }
            if ranges.contains(where: { $0.upperBound > view.nextDocument }) {
                report.add(.mismatch, .meta, "a document number that was not given yet")
            }
        }
        for number in segments.keys where number >= view.nextSegment {
            report.add(.mismatch, .meta, segment: number, "a segment number that was not given yet")
        }
        if segments.count != visible.count + rebuilt.count {
            report.add(.mismatch, .meta, "two segments have one number")
        }
    }

    /// Keys that are of no table.
    func examineForeignTables() throws {
        try reading(.meta) {
            try findKeys(
                behind: [], besides: Table.besideSegments.map(\.rawValue) + [Table.segments])
            var last: UInt32?
            while let number = try view.second.segment(
                after: last,
                foreign: { report.add(.unexpected, .meta, key: Data($0), "a key of no segment") })
            {
                last = number
                var prefix = Buffer<UInt8>()
                Key.segment(number, into: &prefix)
                try findKeys(
                    behind: prefix.toArray(), besides: Table.ofSegments.map(\.rawValue))
            }
        }
    }

    /// Reports a key in each gap between `tables`, which are in order, of those that begin with
    /// `prefix`.
    private func findKeys(behind prefix: [UInt8], besides tables: [UInt8]) throws {
        for (index, start) in ([0] + tables.map { $0 + 1 }).enumerated() {
            let end = index < tables.count ? Int(tables[index]) : 256
            try view.second.seek(to: prefix + [start])
            guard view.second.isValid else { return try view.second.check() }
            try view.second.withEntry { key, _ in
                guard key.starts(with: prefix), key.count > prefix.count,
                    Int(key[prefix.count]) < end
                else { return }
                report.add(.unexpected, .meta, key: Data(key), "a key of no table")
            }
        }
    }

    // MARK: Engagements

    /// The two tables of what was learned: each of them says what the other does.
    func examineEngagements() throws {
        var found = EngagementTotals()
        var pairs: (ofQueries: UInt64, ofObjects: UInt64) = (0, 0)
        try forEachEntry(of: .engagements) { key, value in
            found.insert(EntryDigest.of(key, value))
            let query = key.dropFirst()
            for identifier in try QueryEngagements(key, value).objects.keys {
                pairs.ofQueries &+= Self.pair(Array(query), identifier)
            }
        }
        try forEachEntry(of: .engagedObjects) { key, value in
            found.insert(EntryDigest.of(key, value))
            let identifier = Array(key.dropFirst())
            for query in try EngagedObject(key, value).queries.keys {
                pairs.ofObjects &+= Self.pair(query, identifier)
            }
        }
        if found != view.engagements {
            report.add(.mismatch, .engagements, "the engagements are not those that were committed")
        }
        if pairs.ofQueries != pairs.ofObjects {
            report.add(
                .mismatch, .engagedObjects, "queries and objects have different engagements")
        }
    }

    private static func pair(_ query: [UInt8], _ identifier: [UInt8]) -> UInt64 {
        query.withUnsafeBytes { query in
            identifier.withUnsafeBytes { EntryDigest.of(query, $0) }
        }
    }
}
