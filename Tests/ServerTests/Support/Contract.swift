import CWeb
import Foundation
import Testing

@testable import TextIndexServer

extension JSON {
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var elements: [JSON] {
        guard case .array(let values) = self else { return [] }
        return values
    }

    var members: [(name: String, value: JSON)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .int(let number) = self else { return nil }
        return number
    }

    var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The same value with the members of objects in the order of their names.
    var inOrder: JSON {
        switch self {
        case .array(let values): .array(values.map(\.inOrder))
        case .object(let members):
            .object(members.sorted { $0.name < $1.name }.map { ($0.name, $0.value.inOrder) })
        default: self
        }
    }

    var isTrue: Bool {
        guard case .bool(let value) = self else { return false }
        return value
    }
}

extension JSON {
    /// Reads a text that Foundation takes for JSON, by the server's own reader.
    ///
    /// To ask Foundation's decoder what each value is takes several times as long as the rest of a
    /// test of a server: each wrong guess throws, and Swift Testing takes a backtrace of each error
    /// that is thrown. `JSONReaderTests` holds the reader against that decoder.
    init(reading bytes: [UInt8]) throws {
        _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        self = try JSONReader.value(of: bytes).withWholeNumbers
    }

    /// The same value with numbers that are whole as integers, as Foundation has them.
    private var withWholeNumbers: JSON {
        switch self {
        case .number(let number): Int(exactly: number).map { .int($0) } ?? self
        case .array(let values): .array(values.map(\.withWholeNumbers))
        case .object(let members): .object(members.map { ($0.name, $0.value.withWholeNumbers) })
        default: self
        }
    }
}

/// By Foundation, which says what is JSON independently of what the server reads bodies by.
extension JSON: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.map {
                    ($0.stringValue, try members.decode(JSON.self, forKey: $0))
                })
            return
        }
        if var values = try? decoder.unkeyedContainer() {
            var array: [JSON] = []
            while !values.isAtEnd { array.append(try values.decode(JSON.self)) }
            self = .array(array)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let whole = try? value.decode(Int.self) {
            self = .int(whole)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .string(try value.decode(String.self))
        }
    }
}

/// The OpenAPI document, which answers are checked against: the part of JSON Schema that it uses,
/// and an error for any other.
struct Contract: Sendable {
    let document: JSON

    init() throws {
        let file = cweb_openapi_json()
        document = try JSON(reading: Array(Data(bytes: file.bytes, count: file.count)))
    }

    var operations: [(path: String, method: String, operation: JSON)] {
        document["paths"]?.members.flatMap { path, methods in
            methods.members.map { (path, $0.name, $0.value) }
        } ?? []
    }

    /// Records an issue where an answer is not what the document says of the path.
    func check(_ reply: Reply, to method: String, _ target: String) throws {
        let path = String(target.prefix { $0 != "?" })
        let name = method == "HEAD" ? "get" : method.lowercased()
        guard let operation = operations.first(where: { $0.path == path && $0.method == name })
        else {
            #expect([404, 405, 421, 403, 400].contains(reply.status), "\(target): \(reply.status)")
            return
        }
        guard let response = operation.operation["responses"]?["\(reply.status)"].map(resolved)
        else {
            Issue.record("\(method) \(path) is not said to answer \(reply.status): \(reply.text)")
            return
        }
        guard method != "HEAD", let content = response["content"] else { return }
        let type = reply.headers["content-type"] ?? ""
        guard let schema = content[type]?["schema"] else {
            Issue.record("\(method) \(path) is not said to answer \(type)")
            return
        }
        guard type.hasSuffix("json") else { return }
        let problems = problems(try reply.json(), schema, "$")
        #expect(problems.isEmpty, "\(method) \(target): \(problems.prefix(3)) in \(reply.text)")
    }

    func resolved(_ schema: JSON) -> JSON {
        guard let reference = schema["$ref"]?.text else { return schema }
        var value: JSON? = document
        for part in reference.dropFirst(2).split(separator: "/") { value = value?[String(part)] }
        return value.map(resolved) ?? schema
    }

    private static let known: Set = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "const",
        "anyOf", "minimum", "maximum", "pattern", "minLength", "maxLength", "maxItems", "default",
        "description", "minProperties", "maxProperties", "contentEncoding",
    ]

    /// What is wrong with a value.
    func problems(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        let schema = resolved(schema)
        var found = schema.members.filter { !Self.known.contains($0.name) }
            .map { "\(place): \($0.name) is not checked" }
        if let type = schema["type"]?.text, !value.isOf(type) {
            found.append("\(place): no \(type)")
        }
        if let all = schema["anyOf"]?.elements,
            all.allSatisfy({ !problems(value, $0, place).isEmpty })
        {
            found.append("\(place): none of several")
        }
        if let all = schema["enum"]?.elements, !all.contains(where: { $0.bytes == value.bytes }) {
            found.append("\(place): not in the enumeration")
        }
        if let only = schema["const"], only.bytes != value.bytes {
            found.append("\(place): not the constant")
        }
        if let number = value.double {
            if let least = schema["minimum"]?.double, number < least {
                found.append("\(place): too small")
            }
            if let most = schema["maximum"]?.double, number > most {
                found.append("\(place): too large")
            }
        }
        if let text = value.text, let pattern = schema["pattern"]?.text,
            let regex = try? Regex(pattern), text.firstMatch(of: regex) == nil
        {
            found.append("\(place): not of the pattern")
        }
        if let items = schema["items"] {
            for (number, element) in value.elements.enumerated() {
                found += problems(element, items, "\(place)[\(number)]")
            }
        }
        return found + problemsOfMembers(value, schema, place)
    }

    private func problemsOfMembers(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        guard case .object(let members) = value else { return [] }
        var found: [String] = []
        for name in schema["required"]?.elements.compactMap(\.text) ?? []
        where value[name] == nil {
            found.append("\(place): without \(name)")
        }
        for (name, member) in members {
            if let own = schema["properties"]?[name] {
                found += problems(member, own, "\(place).\(name)")
            } else if case .bool(false)? = schema["additionalProperties"] {
                found.append("\(place): with \(name)")
            } else if let others = schema["additionalProperties"] {
                found += problems(member, others, "\(place).\(name)")
            }
        }
        return found
    }
}

extension JSON {
    fileprivate func isOf(_ type: String) -> Bool {
        switch (type, self) {
        case ("string", .string), ("boolean", .bool), ("array", .array), ("object", .object),
            ("integer", .int), ("number", .int), ("number", .number):
            true
        default: false
        }
    }
}
