internal import Foundation

// What has no sign of its own is written `@name(…)`, `@name/3(…)` or `@weight:…`. An at sign before
// anything else, as in an address, is text.
extension QueryLexer {
    private static let functionNames: Set = [
        "near", "ordered", "atleast", "first", "filter", "nothing", "identifiers", "keyword",
        "part", "wildcard", "regex", "weight",
    ]

    mutating func lexFunction() -> Bool {
        let start = position
        if text.has("@weight:", at: position) {
            position += 8
            if let query = readWeight() {
                appendOperand(query, from: start)
                return true
            }
        } else if let query = readFunction(from: start) {
            if let query {
                let suffix = readScoreSuffix()
                appendOperand(suffix.applied(to: query), from: start)
            }
            return true
        }
        position = start
        let name = functionName(at: start + 1)
        if Self.functionNames.contains(name) {
            diagnostics.append(
                .malformed, start..<start + 1 + name.utf8.count,
                "Read as text: what follows the name is not what it takes.")
        }
        return false
    }

    private func functionName(at start: Int) -> String {
        var end = start
        while end - start < 12, (97...122).contains(text[end]) { end += 1 }
        return text.string(start..<end)
    }

    /// Reads a function. The outer nil means that there is none, the inner that it opens a group.
    private mutating func readFunction(from start: Int) -> Query?? {
        let name = functionName(at: start + 1)
        position = start + 1 + name.utf8.count
        var number: Int?
        if text[position] == UInt8(ascii: "/"), QuerySyntax.isDigit(text[position + 1]) {
            position += 1
            number = readInteger().map { min($0.value, Query.maximumSlop) }
        }
        guard text[position] == UInt8(ascii: "(") else { return nil }
        position += 1
        if let number {
            let group: QueryToken.Group
            switch name {
            case "near": group = .near(number, ordered: false)
            case "ordered": group = .near(number, ordered: true)
            case "atleast": group = .atLeast(number)
            default: return nil
            }
            append(.open(group), from: start)
            return .some(nil)
        }
        switch name {
        case "filter", "first":
            append(.open(name == "first" ? .first : .filter), from: start)
            return .some(nil)
        case "nothing":
            guard skip(")") else { return nil }
            return .some(.nothing)
        case "identifiers": return readIdentifiers().map { .some(.identifiers($0)) }
        case "exactly", "keyword", "part", "wildcard", "regex":
            guard let string = text.string(at: &position), skip(")") else { return nil }
            let argument = limited(Array(string.utf8), start..<position)
            switch name {
            case "exactly": return .some(argument.isEmpty ? .nothing : .exactly(argument))
            case "keyword": return .some(argument.isEmpty ? .everything : .keyword(argument))
            case "part": return .some(argument.isEmpty ? .nothing : .part(argument))
            case "wildcard": return .some(.wildcard(argument))
            // Malformed patterns are kept: matching reports them.
            default: return .some(.regularExpression(argument))
            }
        default: return nil
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads `0x0a1b 0x)`: hexadecimal identifiers up to the parenthesis.
    private mutating func readIdentifiers() -> [Data]? {
        var identifiers: [Data] = []
        while !skip(")") {
            let space = text.whitespaceLength(at: position)
            if space > 0 {
                position += space
                continue
            }
            guard text.has("0x", at: position) else { return nil }
            position += 2
            var bytes = Data()
            while let high = hexadecimalDigit(position), let low = hexadecimalDigit(position + 1) {
                bytes.append(high << 4 | low)
                position += 2
            }
            identifiers.append(bytes)
        }
        return identifiers
    }

    private func hexadecimalDigit(_ position: Int) -> UInt8? {
        switch text[position] {
        case let byte where QuerySyntax.isDigit(byte): return byte - 48
        case let byte where (97...102).contains(byte): return byte - 87
        case let byte where (65...70).contains(byte): return byte - 55
        default: return nil
        }
    }

    /// Reads a comparison of weights, which must be with numbers.
    private mutating func readWeight() -> Query? {
        guard let (operations, isNegated) = readOperations(), !isNegated else { return nil }
        for operation in operations {
            switch operation {
            case .range(let bounds) where bounds.hasOnlyNumbers: return Query(.weight(bounds))
            case .isIn(let values) where values.count == 1:
                let bounds = AttributeBounds(lower: values[0], upper: values[0])
                if bounds.hasOnlyNumbers { return Query(.weight(bounds)) }
            default: continue
            }
        }
        return nil
    }
}

extension AttributeBounds {
    fileprivate var hasOnlyNumbers: Bool {
        [lower, upper].allSatisfy { bound in
            guard let bound else { return true }
            if case .number = bound { return true }
            return false
        }
    }
}
