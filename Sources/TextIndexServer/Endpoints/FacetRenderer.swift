import TextIndexInterface
import TextSearch

/// Makes JSON of the counts of a facet, with what narrows a search to each bucket.
struct FacetRenderer<Object> {
    let choice: FacetChoice
    let counts: FacetCounts<Object>

    var json: JSON {
        .members([
            "attribute": .string(choice.name), "bucketCount": .int(counts.bucketCount),
            "objectCount": .int(counts.objectCount), "missingCount": .int(counts.missingCount),
            "isComplete": .bool(counts.isComplete),
            "buckets": .array(counts.buckets.map { bucket($0) }),
        ])
    }

    private func bucket(_ bucket: FacetBucket<Object>) -> JSON {
        var members: [(name: String, value: JSON)] = []
        func add(_ name: String, _ value: AttributeValue?) {
            if let value { members.append((name, HitRenderer<Object>.json(value))) }
        }
        switch bucket.key {
        case .value(let value): add("value", value)
        case .range(let range):
            add("from", range.lower)
            add("to", range.upper)
        }
        members.append(("count", .int(bucket.count)))
        if let filter = filter(bucket.key) { members.append(("filter", .string(filter))) }
        if !bucket.hits.isEmpty {
            members.append(
                (
                    "hits",
                    .array(
                        bucket.hits.map {
                            .object(
                                HitRenderer.identity(of: $0) + [("score", .number($0.score))])
                        })
                ))
        }
        return .object(members)
    }

    /// Query text that the objects of a bucket match and no others: to be given as a filter.
    private func filter(_ key: FacetKey) -> String? {
        query(key).map { $0.description }
    }

    private func query(_ key: FacetKey) -> Query? {
        let name = choice.name
        switch key {
        case .value(.string(let path)):
            let exact = Query.attribute(name, .equal(.string(path)))
            guard case .levels = choice.kind else { return exact }
            // The sign behind / ends what begins with the path and a /.
            let below = AttributeValue.string(path + "/")..<AttributeValue.string(path + "0")
            return .any(of: [exact, .attribute(name, .range(below))])
        case .value(let value): return .attribute(name, .equal(value))
        case .range(let range):
            switch (range.lower, range.upper) {
            case (let lower?, let upper?) where lower < upper && lower.isComparable(to: upper):
                return .attribute(name, .range(lower..<upper))
            case (let lower?, nil): return .attribute(name, .greaterOrEqual(lower))
            case (nil, let upper?): return .attribute(name, .less(upper))
            default: return nil
            }
        }
    }
}
