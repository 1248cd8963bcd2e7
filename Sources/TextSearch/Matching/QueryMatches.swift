/// The objects that a query matches, with scores and hits.
struct QueryMatches {
    /// Ascending.
    var documents: [UInt32] = []
    var scores: [Double] = []
    /// Where the words stand, by document, then in text order.
    var hits: [Hit] = []

    init() {}

    /// Documents that a query finds without scoring them.
    init(unscored documents: [UInt32]) {
        self.documents = documents
        scores = [Double](repeating: 0, count: documents.count)
    }

    /// Those of `others` that match; both ascend.
    func documents(in others: [UInt32]) -> [UInt32] {
        var place = 0
        return others.filter { document in
            while place < documents.count, documents[place] < document { place += 1 }
            return place < documents.count && documents[place] == document
        }
    }

    /// Those that are in both; scores add up.
    func intersection(_ other: QueryMatches) -> QueryMatches {
        var result = QueryMatches()
        var i = 0
        var j = 0
        while i < documents.count, j < other.documents.count {
            if documents[i] == other.documents[j] {
                result.documents.append(documents[i])
                result.scores.append(scores[i] + other.scores[j])
                i += 1
                j += 1
            } else if documents[i] < other.documents[j] {
                i += 1
            } else {
                j += 1
            }
        }
        result.hits = QueryMatches.kept(hits + other.hits, in: result.documents)
        return result
    }

    /// Those that are in `count` of `parts` at least; scores add up, in the order of the parts.
    static func union(_ parts: [QueryMatches], atLeast count: Int = 1) -> QueryMatches {
        var result = parts.count <= 16 ? merged(parts, count) : sorted(parts, count)
        let hits = parts.flatMap(\.hits)
        result.hits = count <= 1 ? sorted(hits) : kept(hits, in: result.documents)
        return result
    }

    /// Complexity: linear in the documents, times the number of parts.
    private static func merged(_ parts: [QueryMatches], _ count: Int) -> QueryMatches {
        var result = QueryMatches()
        var places = [Int](repeating: 0, count: parts.count)
        while true {
            var next: UInt32?
            for (part, place) in places.enumerated() where place < parts[part].documents.count {
                let document = parts[part].documents[place]
                next = next.map { min($0, document) } ?? document
            }
            guard let next else { return result }
            var score = 0.0
            var found = 0
            for part in places.indices {
                let place = places[part]
                guard place < parts[part].documents.count, parts[part].documents[place] == next
                else { continue }
                score += parts[part].scores[place]
                found += 1
                places[part] = place + 1
            }
            if found >= count {
                result.documents.append(next)
                result.scores.append(score)
            }
        }
    }

    /// Complexity: n log n for n documents in all parts.
    private static func sorted(_ parts: [QueryMatches], _ count: Int) -> QueryMatches {
        var all: [(document: UInt32, part: Int, score: Double)] = []
        for (number, part) in parts.enumerated() {
            for (document, score) in zip(part.documents, part.scores) {
                all.append((document, number, score))
            }
        }
        all.sort { ($0.document, $0.part) < ($1.document, $1.part) }
        var result = QueryMatches()
        var start = 0
        while start < all.count {
            var end = start
            var score = 0.0
            while end < all.count, all[end].document == all[start].document {
                score += all[end].score
                end += 1
            }
            if end - start >= count {
                result.documents.append(all[start].document)
                result.scores.append(score)
            }
            start = end
        }
        return result
    }

    /// Those that are not in `other`.
    func subtracting(_ other: QueryMatches) -> QueryMatches {
        let unwanted = Set(other.documents)
        var result = QueryMatches()
        for (document, score) in zip(documents, scores) where !unwanted.contains(document) {
            result.documents.append(document)
            result.scores.append(score)
        }
        result.hits = hits.filter { !unwanted.contains($0.document) }
        return result
    }

    func mapScores(_ transform: (Double) -> Double) -> QueryMatches {
        var result = self
        result.scores = scores.map(transform)
        return result
    }

    static func kept(_ hits: [Hit], in documents: [UInt32]) -> [Hit] {
        let wanted = Set(documents)
        return sorted(hits.filter { wanted.contains($0.document) })
    }

    private static func sorted(_ hits: [Hit]) -> [Hit] {
        hits.sorted {
            ($0.document, $0.string, $0.position, $0.span)
                < ($1.document, $1.string, $1.position, $1.span)
        }
    }
}
