import ArgumentParser
import Foundation
import TextSearch

/// What `--attribute` asks for: `price`, `published:date`.
struct AttributeChoice: ExpressibleByArgument, Equatable {
    /// What the values of a member are.
    enum Kind: String, CaseIterable {
        case date, number, text
    }

    /// The member of a line.
    let name: String
    /// Nil for what JSON makes of them.
    let kind: Kind?

    init(name: String, kind: Kind? = nil) {
        self.name = name
        self.kind = kind
    }

    /// Nil without a name.
    init?(argument: String) {
        self.init(text: argument)
        if name.isEmpty { return nil }
    }

    /// Reads ``text``.
    init(text: String) {
        for kind in Kind.allCases where text.hasSuffix(":\(kind.rawValue)") {
            self.init(name: String(text.dropLast(kind.rawValue.count + 1)), kind: kind)
            return
        }
        self.init(name: text)
    }

    /// What to say where the end of the name may be a kind that is written wrong; nil where nothing
    /// is to be said.
    var doubt: String? {
        guard kind == nil, let colon = name.lastIndex(of: ":") else { return nil }
        let end = name[name.index(after: colon)...]
        return "--attribute \(name): \(end) is no kind of attribute (date, number or text); for a "
            + "member of the name \(name) give its kind, too, as in \(name):text"
    }

    /// The form in which it is given and remembered.
    var text: String { kind.map { "\(name):\($0.rawValue)" } ?? name }

    /// What a member of a line is as an attribute: nil where it says nothing.
    func value(of member: JSONScanner.Value) throws(CommandError) -> AttributeValue? {
        switch member {
        case .string(let text):
            if kind == nil || kind == .text { return .string(text) }
            let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return value.isEmpty ? nil : try self.value(of: value)
        case .number(let text):
            if kind == nil { return Double(text).map { .number($0) } }
            if kind == .date, let seconds = Double(text), seconds.isFinite, !Self.isDay(text) {
                if let date = AttributeValue(dateText: text) { return date }
                guard let date = AttributeValue.date(sinceEpoch: seconds) else { throw mismatch }
                return date
            }
            return try value(of: text)
        case .array(let members):
            var values: [AttributeValue] = []
            for member in members {
                if let value = try value(of: member) { values.append(value) }
            }
            return .array(values)
        case .boolean(let value):
            guard kind == nil || kind == .text else { throw mismatch }
            return kind == nil ? .bool(value) : .string("\(value)")
        case .object:
            if kind == nil { return nil }
            throw mismatch
        case .null: return nil
        }
    }

    private func value(of text: String) throws(CommandError) -> AttributeValue {
        switch kind {
        case .text, nil: return .string(text)
        case .number:
            guard let number = Double(text), number.isFinite else { throw mismatch }
            return .number(number)
        case .date:
            guard let date = AttributeValue(dateText: text) else { throw mismatch }
            return date
        }
    }

    /// Whether a number may be a day, as 20240501 is, and no seconds since 1970.
    private static func isDay(_ text: String) -> Bool {
        guard text.utf8.count == 8, let number = Int(text) else { return false }
        return (1900...2100).contains(number / 10_000) && (1...12).contains(number / 100 % 100)
            && (1...31).contains(number % 100)
    }

    private var mismatch: CommandError {
        switch kind {
        case .date:
            CommandError("the attribute \"\(name)\" is not a date such as 2024-05-01T12:30:00Z")
        case .number: CommandError("the attribute \"\(name)\" is not a finite number")
        case .text, nil: CommandError("the attribute \"\(name)\" is not text")
        }
    }
}
