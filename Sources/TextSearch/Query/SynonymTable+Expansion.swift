extension SynonymTable {
    /// A phrase gives no more variants than this.
    private static let largestVariantCount = 64

    /// The query with synonyms as alternatives of the words that have some.
    func expand(_ query: Query) -> Query {
        if isEmpty { return query }
        switch query.node {
        case .term(let text), .phrase(let text, 0, false): return phrase(text, query)
        case .all(let parts): return Query(.all(all(parts)))
        case .field(let name, let part):
            var inner = self
            inner.reading = fields[name] ?? reading
            return Query(.field(name, inner.expand(part)))
        default: return query.mapParts(expand)
        }
    }

    /// Words side by side that are looked up together become one part.
    private func all(_ parts: [Query]) -> [Query] {
        let words = parts.map { part -> [[UInt8]]? in
            guard case .term(let text) = part.node else { return nil }
            return Self.words(of: text, reading.analysis)
        }
        var result: [Query] = []
        var index = 0
        next: while index < parts.count {
            for count in stride(from: min(reading.longest, parts.count - index), to: 1, by: -1) {
                let run = words[index..<(index + count)]
                guard run.allSatisfy({ $0 != nil }),
                    let found = reading.targets[run.flatMap { $0 ?? [] }]
                else { continue }
                let own = Query(.all(Array(parts[index..<(index + count)])))
                result.append(Query(.any([own] + found.map(Self.query))))
                index += count
                continue next
            }
            result.append(expand(parts[index]))
            index += 1
        }
        return result
    }

    private static func query(_ text: String) -> Query {
        Query(.phrase(text, slop: 0, lastIsPrefix: false))
    }

    /// A text of words one after the other, and what it is with synonyms in their places.
    private func phrase(_ text: String, _ query: Query) -> Query {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let folded = words.map { Self.words(of: $0, reading.analysis) }
        var variants: [[String]] = [[]]
        var index = 0
        while index < words.count {
            let (count, others) = lookUp(folded, at: index)
            let own = words[index..<(index + count)].joined(separator: " ")
            variants = variants.flatMap { variant in
                ([own] + others).map { variant + [$0] }
            }
            // The variants with the first choices come first.
            variants = Array(variants.prefix(Self.largestVariantCount))
            index += count
        }
        let texts = variants.map { $0.joined(separator: " ") }
        guard texts.count > 1 else { return query }
        return Query(.any([query] + texts.dropFirst().map(Self.query)))
    }

    /// The longest run of words at a place that has synonyms, and they.
    private func lookUp(_ words: [[[UInt8]]], at index: Int) -> (count: Int, others: [String]) {
        for count in stride(from: min(reading.longest, words.count - index), to: 0, by: -1) {
            if let found = reading.targets[words[index..<(index + count)].flatMap { $0 }] {
                return (count, found)
            }
        }
        return (1, [])
    }
}
