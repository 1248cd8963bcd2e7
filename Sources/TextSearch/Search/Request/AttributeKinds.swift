/// Kinds of attribute values.
private struct AttributeKinds: OptionSet {
    let rawValue: Int
    static let truth = AttributeKinds(rawValue: 1)
    static let number = AttributeKinds(rawValue: 2)
    static let date = AttributeKinds(rawValue: 4)
    static let text = AttributeKinds(rawValue: 8)
    private static let names: [(AttributeKinds, one: String, all: String)] = [
        (.truth, "true or false", "true or false"), (.number, "a number", "numbers"),
        (.date, "a date", "dates"), (.text, "a text", "texts"),
    ]

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ value: AttributeValue) {
        switch value {
        case .bool: self = .truth
        case .number: self = .number
        case .date: self = .date
        case .string: self = .text
        case .array: self = []
        }
    }

    /// What a comparison holds for, if it asks for values.
    init(_ operation: AttributeComparison.Operation) {
        switch operation {
        case .isIn(let values): self = Self.all(of: values)
        case .range(let bounds):
            self = Self.all(of: [bounds.lower, bounds.upper].compactMap(\.self))
        case .isLike, .matches: self = .text
        case .exists, .isNotIn: self = []
        }
    }

    /// Those of the values of a column.
    init(_ column: AttributeColumn) {
        self = []
        let end = column.valueCount + 1
        var code = 1
        while code < end, let value = column.value(of: code) {
            formUnion(AttributeKinds(value))
            // Values are in the order of their kinds.
            code = (code + 1..<end).firstPlace {
                column.value(of: $0).map { !$0.isComparable(to: value) } ?? true
            }
        }
    }

    private static func all(of values: [AttributeValue]) -> AttributeKinds {
        values.reduce(into: []) { $0.formUnion(AttributeKinds($1)) }
    }

    var one: String { Self.names.filter { contains($0.0) }.map(\.one).joined(separator: " or ") }
    var all: String { Self.names.filter { contains($0.0) }.map(\.all).joined(separator: " or ") }
}

extension SearchRequest {
    /// Reports attributes that a query without a match compares with values of other kinds than
    /// they have.
    mutating func remarkOnKinds(
        of query: Query, _ snapshots: [Snapshot], _ clock: SearchClock
    ) {
        var asked: [(name: String, kinds: AttributeKinds)] = []
        var open = [query]
        while let part = open.popLast() {
            // What is excluded may well be nowhere.
            if case .none = part.node { continue }
            open += part.children.reversed()
            guard case .attribute(let name, let operation) = part.node else { continue }
            let kinds = AttributeKinds(operation)
            if let place = asked.firstIndex(where: { $0.name == name }) {
                asked[place].kinds.formUnion(kinds)
            } else if asked.count < 8 {
                asked.append((name, kinds))
            }
        }
        for (name, kinds) in asked where !kinds.isEmpty {
            // Errors are ignored: this is only a hint.
            guard let known = (try? Self.kinds(of: name, snapshots, clock)) ?? nil,
                !known.isEmpty, known.isDisjoint(with: kinds)
            else { continue }
            append(.otherKind, "The values of \"\(name)\" are \(known.all): none is \(kinds.one).")
        }
    }

    /// The kinds of values that objects have; nil where only their records say.
    private static func kinds(
        of name: String, _ snapshots: [Snapshot], _ clock: SearchClock
    ) throws -> AttributeKinds? {
        var kinds: AttributeKinds = []
        for segment in snapshots.flatMap(\.segments) {
            switch try segment.attribute(name, clock) {
            case .nowhere: break
            case .records: return nil
            case .column(let column): kinds.formUnion(AttributeKinds(column))
            }
        }
        return kinds
    }
}

extension QueryDiagnostic.Kind {
    /// Nothing matches, and an attribute is compared with a value of a kind that none of its values
    /// has, as a number with a text.
    public static let otherKind = QueryDiagnostic.Kind(rawValue: "otherKind")
}
