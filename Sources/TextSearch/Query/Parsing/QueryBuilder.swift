/// Builds the query out of resolved tokens, in normal form, without recursion.
///
/// `OR` binds loosest, then words side by side, then `AND`, then `NOT`, signs and names.
struct QueryBuilder {
    private let defaultOperator: QueryParser.DefaultOperator
    private var open: [Frame] = []
    private var frame = Frame(group: .plain)
    private var modes: BareWordModes
    private let isLowValue: (String) -> Bool

    /// Whether there were more bare words than may be looked for in several ways.
    var hasTooManyWords: Bool { modes.isExceeded }

    init(_ options: QueryParser.Options, _ isLowValue: @escaping (String) -> Bool) {
        self.isLowValue = isLowValue
        defaultOperator = options.defaultOperator
        modes = BareWordModes(options)
    }

    mutating func build(_ tokens: [QueryToken]) -> Query {
        for token in tokens {
            switch token.kind {
            case .operand(let query):
                let isLow = !frame.isExact && defaultOperator == .all && isLowValue(query)
                frame.append(
                    frame.isExact ? query : modes.applied(to: query), asRead: query, isLow: isLow)
            case .must: frame.pending.isRequired = true
            case .mustNot: frame.pending.isNegated.toggle()
            case .not: frame.pending.isNegated.toggle()
            case .field(let name): frame.pending.field = name
            case .attribute(let name): frame.pending.attribute = name
            case .and: frame.pending.joinsChain = true
            case .or: frame.endBranch(defaultOperator)
            case .open(let group):
                var inner = Frame(group: group)
                inner.attribute = frame.pending.attribute ?? frame.attribute
                inner.isAsWritten = frame.isExact
                if case .near = group { inner.isAsWritten = true }
                frame.pending.attribute = nil
                open.append(frame)
                frame = inner
            case .close(let suffix):
                let query = suffix.applied(to: frame.finished(defaultOperator))
                frame = open.popLast() ?? Frame(group: .plain)
                frame.append(query)
            }
        }
        return frame.finished(defaultOperator)
    }

    /// Whether an operand is a bare word of little value, finished or not.
    private func isLowValue(_ operand: Query) -> Bool {
        switch operand.node {
        case .term(let text): isLowValue(text)
        case .any(let ways): ways.first.map { isLowValue($0) } ?? false
        default: false
        }
    }
}

/// What has been read since a parenthesis was opened.
private struct Frame {
    /// What stands before the next operand.
    struct Pending {
        var isRequired = false
        var isNegated = false
        var joinsChain = false
        var field: String?
        var attribute: String?
    }

    /// An operand with its sign.
    struct Item {
        var query: Query
        var isRequired: Bool
        var isNegated: Bool
        /// Whether it is a bare word of little value.
        var isLow = false

        /// The operand as a query of its own.
        var signed: Query { isNegated ? .joinedNone([query]) : query }
    }

    let group: QueryToken.Group
    /// The attribute that words are values of here, as in `tag:(red OR blue)`.
    var attribute: String?
    /// Whether words are looked for as they are written: what is close together, or not wanted, must be just that.
    var isAsWritten = false
    var pending = Pending()

    /// Whether that holds for the next operand.
    var isExact: Bool { isAsWritten || pending.isNegated || attribute != nil }
    private var branches: [Query] = []
    /// What stands side by side, each of one operand or several joined by `AND`.
    private var chains: [[Item]] = []

    init(group: QueryToken.Group) { self.group = group }

    /// Appends a group, or a single operand with what was read.
    mutating func append(_ query: Query, asRead operand: Query? = nil, isLow: Bool = false) {
        var query = query
        if let operand, let attribute { query = operand.asValue(of: attribute) }
        if let field = pending.field { query = .joinedField(field, query) }
        let item = Item(
            query: query, isRequired: pending.isRequired && !pending.isNegated,
            isNegated: pending.isNegated,
            isLow: isLow && !pending.isRequired && pending.field == nil)
        if pending.joinsChain, !chains.isEmpty {
            chains[chains.count - 1].append(item)
        } else {
            chains.append([item])
        }
        pending = Pending()
    }

    mutating func endBranch(_ defaultOperator: QueryParser.DefaultOperator) {
        branches.append(sequence(defaultOperator))
        chains = []
    }

    func finished(_ defaultOperator: QueryParser.DefaultOperator) -> Query {
        switch group {
        case .plain: return whole(defaultOperator)
        case .filter: return .joinedFilter(whole(defaultOperator))
        case .near(let distance, let ordered):
            return .joinedNear(list(defaultOperator), distance, ordered)
        case .atLeast(let count): return .joinedAtLeast(count, list(defaultOperator))
        case .first: return .joinedFirst(list(defaultOperator))
        }
    }

    private func whole(_ defaultOperator: QueryParser.DefaultOperator) -> Query {
        let last = sequence(defaultOperator)
        return branches.isEmpty ? last : .joinedAny(branches + [last])
    }

    /// The operands one by one, for functions of several.
    private func list(_ defaultOperator: QueryParser.DefaultOperator) -> [Query] {
        branches.isEmpty ? items.map(\.signed) : [whole(defaultOperator)]
    }

    /// The chains, each as one item.
    private var items: [Item] {
        chains.map { chain in
            if chain.count == 1 { return chain[0] }
            return Item(
                query: .joinedAll(chain.map(\.signed)),
                isRequired: chain.contains { $0.isRequired }, isNegated: false)
        }
    }

    /// What stands side by side, as one query.
    private func sequence(_ defaultOperator: QueryParser.DefaultOperator) -> Query {
        let items = items
        if defaultOperator == .all {
            let isWanted = items.contains {
                !$0.isLow && !$0.isNegated && !$0.query.isRestriction
            }
            guard isWanted else { return .joinedAll(items.map(\.signed)) }
            // Beside other words those of little value only add to the score, each once.
            var low: [Query] = []
            for item in items where item.isLow && !low.contains(item.query) {
                low.append(item.query)
            }
            return .joinedAll(
                items.filter { !$0.isLow }.map(\.signed) + low.map { .joinedAtLeast(0, [$0]) })
        }
        let required = items.filter { $0.isRequired }.map(\.query)
        let excluded = items.filter { $0.isNegated }.map(\.query)
        let optional = items.filter { !$0.isRequired && !$0.isNegated }.map(\.query)
        var members = required
        if required.isEmpty, !optional.isEmpty {
            members = [.joinedAny(optional)]
        } else if !optional.isEmpty {
            members.append(.joinedAtLeast(0, optional))
        }
        if !excluded.isEmpty { members.append(.joinedNone(excluded)) }
        return .joinedAll(members)
    }
}

extension Query {
    /// A word or phrase as a value of an attribute; anything else as it is.
    fileprivate func asValue(of attribute: String) -> Query {
        switch node {
        case .term(let text): return .attribute(attribute, equalToWord: text).normalized()
        case .phrase(let text, _, _): return .attribute(attribute, .like(text))
        default: return self
        }
    }
}
