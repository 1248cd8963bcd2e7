import Foundation
import TextSearch

/// What a request asks for by name: parameters of a query, or members of a JSON object, which have
/// the same names.
///
/// Every name has to be taken by somebody: a misspelt one is an error, not a default.
struct Arguments: Sendable {
    private enum Value: Sendable {
        /// Of a query: as often as the name was given.
        case texts([String])
        case json(JSON)
    }

    private var values: [String: Value] = [:]
    /// The typed query of a JSON object, and as it was sent.
    private var typed: Query?
    private var sentQuery: JSON?

    /// Reads `a=1&b=two+words`.
    init(query: Substring) throws {
        var texts: [String: [String]] = [:]
        // By bytes: a mark behind a sign would make it another character.
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { Substring($0) }
            guard let name = Self.decoded(parts[0]),
                let value = Self.decoded(parts.count > 1 ? parts[1] : "")
            else { throw Problem.malformed("A parameter is not UTF-8 with percent signs.") }
            texts[name, default: []].append(value)
        }
        values = texts.mapValues { .texts($0) }
    }

    /// Reads a JSON object.
    init(json bytes: [UInt8]) throws {
        guard case .object(let members) = try? JSONReader.value(of: bytes) else {
            throw Problem.malformed("The body is not a JSON object.")
        }
        for (name, value) in members {
            if case .null = value { continue }
            values[name] = .json(value)
        }
        guard case .json(let query) = values.removeValue(forKey: "query") else { return }
        guard query.valueCount <= Longest.typedQuery else {
            throw Problem.tooMuch(
                "A typed query may have up to \(Longest.typedQuery) values.", parameter: "query")
        }
        guard let typed = try? JSONDecoder().decode(Query.self, from: Data(query.bytes)) else {
            throw Problem.invalid("query", "The query is none that the index knows.")
        }
        self.typed = typed
        sentQuery = query
    }

    /// Reads what another server sent.
    init(_ message: ShardMessage.Request) throws {
        try self.init(json: Array(message.asked))
        if !message.shown.isEmpty {
            guard case .object(let members)? = try? JSONReader.value(of: Array(message.shown))
            else { throw Problem.malformed("What is shown is not a JSON object.") }
            for (name, value) in members { values[name] = .json(value) }
        }
        values["generation"] = .json(.string(message.generation))
        values["shards"] = .json(.string(message.shards))
    }

    private static func decoded(_ text: Substring) -> String? {
        // Nothing to decode is the usual case.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
        else { return String(text) }
        return text.replacing("+", with: " ").removingPercentEncoding
    }

    // MARK: Values

    /// The typed query, which a body may have.
    mutating func query() -> Query? {
        defer { typed = nil }
        return typed
    }

    mutating func text(_ name: String, upTo longest: Int = .max) throws -> String? {
        let text: String
        switch values.removeValue(forKey: name) {
        case nil: return nil
        case .texts(let texts) where texts.count == 1: text = texts[0]
        case .json(.string(let value)): text = value
        default: throw Problem.invalid(name, "\(name) must be one text.")
        }
        guard text.utf8.count <= longest else {
            throw Problem.invalid(name, "\(name) may have up to \(longest) bytes.")
        }
        return text
    }

    /// Several texts: a parameter that is repeated, or an array.
    mutating func texts(_ name: String, upTo most: Int) throws -> [String] {
        let texts: [String]
        switch values.removeValue(forKey: name) {
        case nil: return []
        case .texts(let all): texts = all
        case .json(.array(let all)):
            texts = try all.map {
                guard case .string(let text) = $0 else {
                    throw Problem.invalid(name, "\(name) must be an array of texts.")
                }
                return text
            }
        default: throw Problem.invalid(name, "\(name) must be an array of texts.")
        }
        guard texts.count <= most else {
            throw Problem.invalid(name, "\(name) may be given up to \(most) times.")
        }
        return texts
    }

    mutating func int(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        let number: Int?
        switch values.removeValue(forKey: name) {
        case nil: return nil
        case .texts(let texts) where texts.count == 1: number = Int(texts[0])
        case .json(.int(let value)): number = value
        case .json(.number(let value)): number = Int(exactly: value)
        default: number = nil
        }
        guard let number, range.contains(number) else {
            throw Problem.invalid(
                name,
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    mutating func number(_ name: String) throws -> Double? {
        let number: Double?
        switch values.removeValue(forKey: name) {
        case nil: return nil
        case .texts(let texts) where texts.count == 1: number = Double(texts[0])
        case .json(.int(let value)): number = Double(value)
        case .json(.number(let value)): number = value
        default: number = nil
        }
        guard let number, number.isFinite else {
            throw Problem.invalid(name, "\(name) must be a finite number.")
        }
        return number
    }

    mutating func bool(_ name: String) throws -> Bool {
        switch values.removeValue(forKey: name) {
        case nil: return false
        case .texts(["true"]), .json(.bool(true)): return true
        case .texts(["false"]), .json(.bool(false)): return false
        default: throw Problem.invalid(name, "\(name) must be true or false.")
        }
    }

    /// One of the names of an enumeration.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(name, "\(name) must be one of \(all).")
        }
        return choice
    }

    /// An identifier: a text, or bytes in Base64.
    mutating func identifier() throws -> Data? {
        let text = try text("id", upTo: Longest.identifier)
        guard let coded = try self.text("idBytes", upTo: Longest.identifier * 2) else {
            return text.map { Data($0.utf8) }
        }
        guard text == nil, let bytes = Data(base64Encoded: coded) else {
            throw Problem.invalid(
                "idBytes", "idBytes must be Base64, and stand in the place of id.")
        }
        return bytes
    }

    /// A member of a body as it is; nil in a query.
    mutating func json(_ name: String) -> JSON? {
        guard case .json(let value) = values[name] else { return nil }
        values[name] = nil
        return value
    }

    /// Whether a value of this name was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Values as the body of a request has them, to be sent on; what is no value of its kind is
    /// left out.
    ///
    /// - Parameters:
    ///   - texts: the names of texts.
    ///   - numbers: the names of numbers.
    ///   - flags: the names of what is true or false.
    ///   - lists: the names of several texts.
    ///   - hasQuery: whether the typed query is sent too.
    /// - Returns: Members of an object.
    func members(
        texts: [String], numbers: [String], flags: [String], lists: [String] = [],
        hasQuery: Bool = false
    ) -> [(name: String, value: JSON)] {
        var members: [(name: String, value: JSON)] = []
        for name in texts + numbers + flags {
            switch values[name] {
            case .json(let value)?: members.append((name, value))
            case .texts(let all)? where all.count == 1:
                let text = all[0]
                let number = Int(text).map { JSON.int($0) } ?? Double(text).map { .number($0) }
                let value: JSON? =
                    if texts.contains(name) {
                        .string(text)
                    } else if numbers.contains(name) {
                        number
                    } else {
                        .bool(text == "true")
                    }
                if let value { members.append((name, value)) }
            default: break
            }
        }
        for name in lists {
            switch values[name] {
            case .json(let value)?: members.append((name, value))
            case .texts(let all)?: members.append((name, .array(all.map { .string($0) })))
            case nil: break
            }
        }
        if hasQuery, let sentQuery { members.append(("query", sentQuery)) }
        return members
    }

    /// Ends the reading.
    ///
    /// - Throws: ``Problem`` for a name that nobody took.
    func finish() throws {
        // Sorted, so that the same request has the same answer.
        if let name = values.keys.min() {
            throw Problem.invalid(name, "This request takes no parameter of this name.")
        }
        if typed != nil { throw Problem.invalid("query", "This request takes no typed query.") }
    }
}
