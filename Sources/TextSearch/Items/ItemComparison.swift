internal import Foundation

/// Comparisons of attributes as queries of the index.
enum ItemComparison {
    /// What is compared.
    enum Subject {
        /// The texts that are searched.
        case allTexts
        /// A text that is kept with the item; the index has its words.
        case words(String)
        case attribute(String)

        init(_ name: String) {
            self = ItemAttributes.longTextNames.contains(name) ? .words(name) : .attribute(name)
        }

        /// As queries write it.
        var name: String {
            switch self {
            case .allTexts: "**"
            case .words(let name), .attribute(let name): name
            }
        }

        /// Whether there is any value.
        var isPresent: Query {
            let longTexts = SearchableItem.Names.longTexts
            return switch self {
            case .allTexts:
                .any(
                    of: (ItemAttributes.attributeTextNames + [longTexts]).map {
                        .attribute($0, .exists)
                    })
            case .words(let name): .attribute(longTexts, .equal(.string(name)))
            case .attribute(let name): .attribute(name, .exists)
            }
        }
    }

    /// Nil for what cannot be compared so.
    static func query(
        _ subject: Subject, _ comparison: ItemQueryParser.Comparison, _ value: ItemQueryParser.Value
    ) -> Query? {
        switch (value, comparison) {
        case (.text(let pattern), .equal): return equal(subject, pattern)
        case (.text(let pattern), .notEqual):
            guard !pattern.isAnything else { return .none(of: [subject.isPresent]) }
            return .all(of: [subject.isPresent, .none(of: [equal(subject, pattern)])])
        case (.text(let pattern), _):
            guard case .attribute(let name) = subject, let text = pattern.exactText else {
                return nil
            }
            return compared(name, comparison, [.string(text)])
        case (.other(let value), _):
            guard case .attribute(let name) = subject else { return nil }
            return compared(name, comparison, meanings(of: value))
        }
    }

    /// Nil for bounds that do not compare.
    static func range(_ name: String, _ low: AttributeValue, _ high: AttributeValue) -> Query? {
        let bounds = meanings(of: low).flatMap { low in
            meanings(of: high).filter { $0.isComparable(to: low) }.map { (low, $0) }
        }
        guard !bounds.isEmpty else { return nil }
        return .any(
            of: bounds.filter { $0 <= $1 }.map { .attribute(name, .range($0...$1)) })
    }

    /// Spotlight writes a date as a number: the seconds since 2001.
    private static func meanings(of value: AttributeValue) -> [AttributeValue] {
        guard case .number(let number) = value else { return [value] }
        return [value, .date(Date(timeIntervalSinceReferenceDate: number))]
    }

    /// Compares with what a value may mean, which are values of different kinds.
    private static func compared(
        _ name: String, _ comparison: ItemQueryParser.Comparison, _ meanings: [AttributeValue]
    ) -> Query {
        let comparisons: [AttributeComparison] =
            switch comparison {
            case .equal: [.in(meanings)]
            case .notEqual: [.notEqual(.array(meanings))]
            case .less: meanings.map { .less($0) }
            case .lessOrEqual: meanings.map { .lessOrEqual($0) }
            case .greater: meanings.map { .greater($0) }
            case .greaterOrEqual: meanings.map { .greaterOrEqual($0) }
            }
        let queries = comparisons.map { Query.attribute(name, $0) }
        return queries.count == 1 ? queries[0] : .any(of: queries)
    }

    private static func equal(_ subject: Subject, _ pattern: StringPattern) -> Query {
        if pattern.isAnything { return subject.isPresent }
        switch subject {
        case .attribute(let name): return .attribute(name, .matches(pattern))
        case .words(let name): return words(pattern, in: name)
        case .allTexts:
            return .any(
                of: ItemAttributes.attributeTextNames.map { .attribute($0, .matches(pattern)) }
                    + ItemAttributes.longTextNames.map { words(pattern, in: $0) })
        }
    }

    // MARK: Words

    /// The words of a text; a pattern that has none finds nothing.
    private static func words(_ pattern: StringPattern, in name: String) -> Query {
        var queries: [Query] = []
        var plain: [String] = []
        let split = pattern.pieces.split { piece in
            if case .character(let value) = piece, let scalar = Unicode.Scalar(value) {
                return scalar.properties.isWhitespace
            }
            return false
        }
        for pieces in split {
            let text = Self.text(pieces.filter { $0 != .any && $0 != .one })
            guard !text.isEmpty else { continue }
            if !pieces.contains(.any), !pieces.contains(.one) {
                plain.append(text)
                queries.append(.phrase(text))
            } else {
                queries.append(wildcard(pieces, text))
            }
        }
        guard !queries.isEmpty else { return .any(of: []) }
        if plain.count == queries.count, plain.count > 1, !pattern.matchesTokens {
            return .field(name, .phrase(plain.joined(separator: " ")))
        }
        return .field(name, queries.count == 1 ? queries[0] : .all(of: queries))
    }

    /// A word with wild cards; `text` is the word without them.
    private static func wildcard(
        _ pieces: ArraySlice<StringPattern.Piece>, _ text: String
    ) -> Query {
        let inner = pieces.dropFirst().dropLast()
        let isSimple = !pieces.contains(.one) && !inner.contains(.any)
        return switch (isSimple, pieces.first == .any, pieces.last == .any) {
        case (true, false, true): .prefix(text)
        case (true, true, true): .infix(text)
        default: .wildcard(Self.text(pieces))
        }
    }

    /// Signs are not indexed, so that wild cards alone stay.
    private static func text(_ pieces: some Sequence<StringPattern.Piece>) -> String {
        var text = String.UnicodeScalarView()
        for piece in pieces {
            switch piece {
            case .any: text.append("*")
            case .one: text.append("?")
            case .character(let value):
                guard let scalar = Unicode.Scalar(value),
                    !"*?\\".unicodeScalars.contains(scalar)
                else { continue }
                text.append(scalar)
            }
        }
        return String(text)
    }
}

extension StringPattern {
    /// Whether any value will do.
    fileprivate var isAnything: Bool { pieces == [.any] }
}
