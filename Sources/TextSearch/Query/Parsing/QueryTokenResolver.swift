/// Decides which parentheses and operators mean something, and takes out those that do not.
///
/// Afterwards every parenthesis has its partner, at most ``QueryLimits/maximumDepth`` are open at
/// once, no group is empty, and every operator, sign and name has its operands. The passes are
/// loops over the tokens: nothing recurses.
struct QueryTokenResolver {
    private var tokens: [QueryToken]
    private let limits: QueryLimits
    private var clauseCount: Int

    /// Whether operators without operands are left out, for as words they would be too many.
    private var isFull: Bool { clauseCount >= limits.clauses }
    var diagnostics: QueryDiagnostics

    init(_ lexer: QueryLexer) {
        tokens = lexer.tokens
        limits = lexer.options.limits
        clauseCount = lexer.clauseCount
        diagnostics = lexer.diagnostics
    }

    mutating func run() -> [QueryToken] {
        removeParentheses()
        removeDanglingPrefixes()
        resolveOperators()
        return tokens
    }

    // MARK: Parentheses

    private mutating func removeParentheses() {
        var isRemoved = [Bool](repeating: false, count: tokens.count)
        // Each open parenthesis with the number of operands before it.
        var open: [(index: Int, operands: Int)] = []
        var operands = 0
        for index in tokens.indices {
            switch tokens[index].kind {
            case .open: open.append((index, operands))
            case .close:
                guard let (start, before) = open.popLast() else {
                    isRemoved[index] = true
                    note(.unbalancedParenthesis, index, "No parenthesis is open here.")
                    continue
                }
                if operands == before {
                    isRemoved[start] = true
                    isRemoved[index] = true
                    removePrefixes(before: start, &isRemoved)
                    note(.ignored, start, "Parentheses around nothing are left out.")
                } else if open.count >= limits.depth {
                    isRemoved[start] = true
                    isRemoved[index] = true
                    note(.limitExceeded, start, "Too many parentheses are open: read as text.")
                }
            case .operand: operands += 1
            // Words, unless they turn out to be operators; either way the group is not empty.
            case .and, .or, .not: operands += 1
            case .must, .mustNot, .field, .attribute: break
            }
        }
        for (index, _) in open {
            isRemoved[index] = true
            note(.unbalancedParenthesis, index, "The parenthesis is not closed: read as text.")
        }
        keep { !isRemoved[$0] }
    }

    private func removePrefixes(before index: Int, _ isRemoved: inout [Bool]) {
        var index = index - 1
        while index >= 0, isRemoved[index] || tokens[index].isPrefix {
            // What is removed already may hide a prefix of its own only once.
            if isRemoved[index] { return }
            isRemoved[index] = true
            index -= 1
        }
    }

    // MARK: Signs and names

    /// Takes out signs and names that something that was taken out stood behind.
    private mutating func removeDanglingPrefixes() {
        var isKept = [Bool](repeating: true, count: tokens.count)
        for index in tokens.indices where tokens[index].isPrefix {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            switch (tokens[index].kind, next?.kind) {
            case (_, .operand), (_, .open), (.must, .field), (.must, .attribute),
                (.mustNot, .field), (.mustNot, .attribute):
                continue
            default:
                isKept[index] = false
                note(.misplacedOperator, index, "There is nothing here to act on: left out.")
            }
        }
        keep { isKept[$0] }
    }

    // MARK: Operators

    /// Makes words of the operators that lack an operand.
    private mutating func resolveOperators() {
        // Whether something that is or becomes an operand starts at a token.
        var starts = [Bool](repeating: false, count: tokens.count + 1)
        for index in tokens.indices.reversed() {
            switch tokens[index].kind {
            case .operand, .open, .must, .mustNot, .field, .attribute: starts[index] = true
            case .not: starts[index] = starts[index + 1]
            case .and, .or, .close: break
            }
        }
        var endsOperand = false
        var isRemoved = [Bool](repeating: false, count: tokens.count)
        for index in tokens.indices {
            switch tokens[index].kind {
            case .operand, .close: endsOperand = true
            case .and where endsOperand && starts[index + 1]: endsOperand = false
            case .or where endsOperand && starts[index + 1]: endsOperand = false
            case .not where starts[index + 1]: endsOperand = false
            case .and where isFull, .or where isFull, .not where isFull:
                isRemoved[index] = true
                noteFull(index)
            case .and: makeWord(index, "AND", &endsOperand)
            case .or: makeWord(index, "OR", &endsOperand)
            case .not: makeWord(index, "NOT", &endsOperand)
            case .open, .must, .mustNot, .field, .attribute: endsOperand = false
            }
        }
        if isFull { keep { !isRemoved[$0] } }
    }

    private mutating func makeWord(_ index: Int, _ word: String, _ endsOperand: inout Bool) {
        clauseCount += 1
        tokens[index].kind = .operand(.term(word))
        endsOperand = true
        note(.misplacedOperator, index, "An operand is missing: read as a word.")
    }

    private mutating func noteFull(_ index: Int) {
        // Once; where operands were left out, that has been said already.
        if clauseCount == limits.clauses {
            note(
                .limitExceeded, index, "Too many clauses: operators without operands are left out.")
            clauseCount += 1
        }
    }

    // MARK: Tools

    private mutating func keep(_ isKept: (Int) -> Bool) {
        tokens = tokens.indices.filter(isKept).map { tokens[$0] }
    }

    private mutating func note(_ kind: QueryDiagnostic.Kind, _ index: Int, _ message: String) {
        diagnostics.append(kind, tokens[index].range, message)
    }
}

extension QueryToken {
    /// Whether the token acts on the operand after it.
    fileprivate var isPrefix: Bool {
        switch kind {
        case .must, .mustNot, .field, .attribute: return true
        case .operand, .open, .close, .and, .or, .not: return false
        }
    }
}
