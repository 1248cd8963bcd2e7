import Foundation
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Says which queries a text matches: those that the server was started with, and those of the
    /// request.
    ///
    /// Nothing of it is kept.
    func percolate(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let index = try index(&arguments)
        let served = index.served
        let object = try object(&arguments, served)
        let identifier = try arguments.identifier() ?? Data("object".utf8)
        let queries = try Self.queries(&arguments)
        try arguments.finish()
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            // However long they take to read: the next request has them.
            let stored = try index.storedQueries(of: served) {
                try Self.table(of: self.storedQueries, for: served)
            }
            let own = try Self.table(of: queries, for: served, until: deadline.last)
            func matches(_ table: StoredQueries<Object, String>) throws -> [String] {
                if table.count == 0 { return [] }
                let found = try table.matches(
                    object, identifier: identifier, budget: budget.until(deadline.wanted))
                guard let found else { throw Problem.outOfTime }
                return found
            }
            // A query of the request takes the place of one of the server that has its name.
            let names = try matches(stored).filter { own[$0] == nil } + matches(own)
            let count = stored.count + own.names.count { stored[$0] == nil }
            return JSON.members([
                "queries": .int(count), "matches": .array(names.map { .string($0) }),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    private static func table(
        of queries: [(name: String, query: String)], for served: ServedIndex<Object>,
        until deadline: ContinuousClock.Instant? = nil
    ) throws -> StoredQueries<Object, String> {
        let table = served.index.makeStoredQueries(named: String.self)
        for (name, text) in queries {
            if let deadline, deadline <= .now { throw Problem.outOfTime }
            try table.add(served.parser.parse(text).query, as: name)
        }
        return table
    }

    /// The text, by field or alone, and the attributes.
    private func object(
        _ arguments: inout Arguments, _ served: ServedIndex<Object>
    ) throws -> IndexedObject {
        let fields = served.index.configuration.fields
        var strings = [String](repeating: "", count: fields.count)
        if let text = try arguments.text("text") {
            // A text alone is that of the last field, as that of a file is.
            if strings.isEmpty { strings = [text] } else { strings[strings.count - 1] = text }
        }
        if let given = arguments.json("strings") {
            guard case .object(let members) = given else {
                throw Problem.invalid("strings", "strings must be an object of texts by field.")
            }
            for (name, value) in members {
                guard case .string(let text) = value, let number = fields.firstIndex(of: name)
                else {
                    throw Problem.invalid(
                        "strings", "strings must be texts of fields of the index.")
                }
                strings[number] = text
            }
        }
        return IndexedObject(
            strings: strings, weight: try arguments.number("weight") ?? 0,
            attributes: try Self.attributes(&arguments))
    }

    private static func attributes(
        _ arguments: inout Arguments
    ) throws -> [String: AttributeValue] {
        guard let given = arguments.json("attributes") else { return [:] }
        guard case .object(let members) = given else {
            throw Problem.invalid("attributes", "attributes must be an object.")
        }
        return Dictionary(
            try members.map { ($0.name, try attribute($0.value)) }, uniquingKeysWith: { $1 })
    }

    private static func attribute(_ value: JSON, depth: Int = 0) throws -> AttributeValue {
        switch value {
        case .bool(let value): return .bool(value)
        case .int(let value): return .number(Double(value))
        case .number(let value): return .number(value)
        // A date is one where attributes of the index are, which are compared by kind.
        case .string(let text): return AttributeValue(iso8601: text) ?? .string(text)
        case .array(let values) where depth < 8:
            return .array(try values.map { try attribute($0, depth: depth + 1) })
        default:
            throw Problem.invalid(
                "attributes", "Attributes are texts, numbers, true, false, and arrays of these.")
        }
    }

    private static func queries(_ arguments: inout Arguments) throws -> [(
        name: String, query: String
    )] {
        guard let given = arguments.json("queries") else { return [] }
        guard case .object(let members) = given, members.count <= 10_000 else {
            throw Problem.invalid(
                "queries", "queries must be an object of up to 10000 query texts.")
        }
        return try members.sorted { $0.name < $1.name }.map { name, value in
            guard case .string(let text) = value else {
                throw Problem.invalid("queries", "Queries are query texts.")
            }
            return (name, text)
        }
    }
}
