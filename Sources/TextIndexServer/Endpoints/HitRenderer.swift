import Foundation
import TextIndexInterface
import TextSearch

/// Makes hits of results: what clients are shown of an object and its matches.
struct HitRenderer<Object> {
    let served: ServedIndex<Object>
    let showing: ShowingParameters
    let limits: ServerLimits
    /// When it has to be over, and what ends it before.
    let times: SearchTimes
    var budget = SearchBudget.unlimited

    private var fields: [String] { served.index.configuration.fields }

    /// All hits of a page.
    func list(_ items: [SearchResultItem<Object>]) throws -> JSON {
        try HitList.json(items, within: limits, until: times.last) { try json($0) }
    }

    /// A hit.
    ///
    /// - Throws: `TextIndexError` where its matches or its record cannot be read: it would look
    ///   like a hit without any.
    func json(
        _ item: SearchResultItem<Object>, source: String? = nil, isRanked: Bool = true
    ) throws -> JSON {
        let wantsText = showing.wantsText
        let wantsMatches = wantsText || showing.explains
        if wantsMatches { item.findMatches(within: budget.until(times.details)) }
        if let failure = wantsMatches ? item.failure : item.recordFailure { throw failure }
        let strings = wantsText ? served.strings(item) : []
        var members = Self.identity(of: item)
        func add(_ name: String, _ value: JSON?) { if let value { members.append((name, value)) } }
        add("index", .optional(source))
        if isRanked { add("rank", .int(item.rank)) }
        add("score", .number(item.score))
        add("weight", .number(item.weight))
        if item.matchedBy != .exact { add("matchedBy", .string(item.matchedBy.description)) }
        add("title", .optional(served.title(item)))
        add("attributes", Self.attributes(item))
        if let strings {
            if showing.snippets > 0 { add("snippets", snippets(of: item, strings)) }
            if showing.highlights > 0 { add("highlights", highlights(of: item, strings)) }
            if showing.texts { add("texts", .array(strings.map { .string($0) })) }
        }
        if wantsText { add("hasText", .bool(strings != nil)) }
        if wantsMatches, item.hasMoreMatches { add("hasMoreMatches", .bool(true)) }
        if showing.explains { add("explanation", try explanation(of: item)) }
        return .object(members)
    }

    static func identity(of item: SearchResultItem<Object>) -> [(name: String, value: JSON)] {
        identity(item.identifier)
    }

    /// An identifier as text, and its bytes in Base64 where they are none.
    static func identity(_ identifier: Data) -> [(name: String, value: JSON)] {
        if let text = String(validating: identifier, as: UTF8.self) {
            return [("id", .string(text))]
        }
        return [
            ("id", .string(String(decoding: identifier, as: UTF8.self))),
            ("idBytes", .string(identifier.base64EncodedString())),
        ]
    }

    // MARK: Parts of text

    private func snippets(of item: SearchResultItem<Object>, _ strings: [String]) -> JSON {
        let snippets = item.snippets(
            from: strings, count: showing.snippets, length: .words(showing.snippetWords))
        return .array(
            snippets.map { snippet in
                let string = strings[snippet.string]
                let start = showing.unit.range(
                    string.startIndex..<snippet.range.lowerBound, in: string
                ).1
                return .members([
                    "string": .int(snippet.string), "field": .optional(field(snippet.string)),
                    "location": .int(start), "text": .string(String(snippet.text)),
                    "isAtStart": .bool(snippet.isAtStart), "isAtEnd": .bool(snippet.isAtEnd),
                    "highlights": .array(
                        snippet.highlights.map { range($0.range, in: string[snippet.range]) }),
                ])
            })
    }

    private func highlights(of item: SearchResultItem<Object>, _ strings: [String]) -> JSON {
        let all = item.highlights(in: strings).enumerated().filter { !$1.isEmpty }
        return .array(
            all.map { number, highlights in
                .members([
                    "string": .int(number), "field": .optional(field(number)),
                    "count": .int(highlights.count),
                    "ranges": .array(
                        highlights.prefix(showing.highlights).map {
                            range($0.range, in: strings[number][...])
                        }),
                ])
            })
    }

    private func range(_ range: Range<String.Index>, in text: Substring) -> JSON {
        let (location, length) = showing.unit.range(range, in: text)
        return .members(["location": .int(location), "length": .int(length)])
    }

    private func field(_ string: Int) -> String? {
        fields.indices.contains(string) ? fields[string] : nil
    }

    // MARK: Values

    private static func attributes(_ item: SearchResultItem<Object>) -> JSON? {
        let attributes = item.attributes
        if attributes.isEmpty { return nil }
        return .object(
            attributes.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    }

    static func json(_ value: AttributeValue) -> JSON {
        switch value {
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .date: .string("\(value)")
        case .string(let text): .string(text)
        case .array(let values): .array(values.map { json($0) })
        }
    }

    /// Nil also for one that takes longer than a request may; the list of hits ends then.
    private func explanation(of item: SearchResultItem<Object>) throws -> JSON? {
        do {
            let found = try served.index.explain(item, budget: budget.until(times.last))
            return found.flatMap { Self.encoded($0) }
        } catch is CancellationError {
            return nil
        }
    }

    /// A value of the library as it encodes itself.
    static func encoded(_ value: some Encodable) -> JSON? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return (try? encoder.encode(value)).map { .encoded(Array($0)) }
    }
}
