/// A parsed regular expression over the characters of one term.
indirect enum RegularExpressionNode {
    case empty
    /// One character of a set.
    case set(ScalarSet)
    case sequence([RegularExpressionNode])
    case alternatives([RegularExpressionNode])
    /// `greatest` nil: any number.
    case repeated(RegularExpressionNode, least: Int, greatest: Int?)
}

/// A set of characters: sorted, disjoint ranges, or all others.
struct ScalarSet: Hashable {
    private(set) var ranges: [ClosedRange<UInt32>]
    var isNegated: Bool

    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
        self.isNegated = isNegated
    }

    static let all = ScalarSet([], isNegated: true)

    /// Complexity: O(log *n*) in the number of ranges.
    func contains(_ scalar: UInt32) -> Bool {
        let place = ranges.firstPlace { $0.upperBound >= scalar }
        let isListed = place < ranges.count && ranges[place].lowerBound <= scalar
        return isListed != isNegated
    }

    /// Calls `body` with each ASCII character of the set, ascending.
    func forEachASCII(_ body: (Int) -> Void) {
        var next = 0
        for range in ranges where range.lowerBound < 128 {
            let (lower, end) = (Int(range.lowerBound), Int(min(range.upperBound, 127)) + 1)
            for scalar in isNegated ? next..<lower : lower..<end { body(scalar) }
            next = end
        }
        if isNegated { for scalar in next..<128 { body(scalar) } }
    }
}

/// Parses `.`, `[a-z]`, `[^…]`, `(…)`, `|`, `*`, `+`, `?`, `{m,n}`, `\d`, `\w`, `\s` and escapes.
///
/// Groups nest at most ``maximumDepth`` deep, so the recursion is bounded.
struct RegularExpressionParser {
    static let maximumLength = 1_024
    static let maximumDepth = 50
    static let maximumRepetition = 255

    private let scalars: [Unicode.Scalar]
    private let folding: (String) -> String
    private var position = 0
    private var depth = 0

    init(_ pattern: String, folding: @escaping (String) -> String) throws(PatternError) {
        guard pattern.utf8.count <= Self.maximumLength else {
            throw PatternError(message: "it is longer than \(Self.maximumLength) bytes")
        }
        scalars = Array(pattern.unicodeScalars)
        self.folding = folding
    }

    mutating func parse() throws(PatternError) -> RegularExpressionNode {
        let node = try parseAlternatives()
        guard position == scalars.count else {
            throw PatternError(message: "a parenthesis is closed that is not open")
        }
        return node
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func parseAlternatives() throws(PatternError) -> RegularExpressionNode {
        var alternatives = [try parseSequence()]
        while skip("|") { alternatives.append(try parseSequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() throws(PatternError) -> RegularExpressionNode {
        var nodes: [RegularExpressionNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            nodes.append(try parseRepeated())
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func parseRepeated() throws(PatternError) -> RegularExpressionNode {
        var node = try parseAtom()
        var repetitions = 0
        while let scalar = next {
            switch scalar {
            case "*": node = .repeated(node, least: 0, greatest: nil)
            case "+": node = .repeated(node, least: 1, greatest: nil)
            case "?": node = .repeated(node, least: 0, greatest: 1)
            case "{":
                let (least, greatest) = try parseBounds()
                node = .repeated(node, least: least, greatest: greatest)
            default: return node
            }
            if scalar != "{" { position += 1 }
            repetitions += 1
            // Each is a level of the tree.
            guard repetitions <= 3 else {
                throw PatternError(message: "too many repetitions follow each other")
            }
        }
        return node
    }

    private mutating func parseBounds() throws(PatternError) -> (Int, Int?) {
        position += 1
        let least = parseInteger()
        var greatest = least
        if skip(",") { greatest = next == "}" ? nil : parseInteger() ?? -1 }
        guard let least, skip("}"), least <= Self.maximumRepetition,
            greatest.map({ $0 >= least && $0 <= Self.maximumRepetition }) ?? true
        else {
            throw PatternError(
                message: "braces need bounds like {2,3}, up to \(Self.maximumRepetition)")
        }
        return (least, greatest)
    }

    private mutating func parseInteger() -> Int? {
        var value: Int?
        while let digit = next, ("0"..."9").contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit.value - 48), 1_000_000)
            position += 1
        }
        return value
    }

    private mutating func parseAtom() throws(PatternError) -> RegularExpressionNode {
        guard let scalar = next else { return .empty }
        position += 1
        switch scalar {
        case "(":
            depth += 1
            guard depth <= Self.maximumDepth else {
                throw PatternError(message: "groups nest too deeply")
            }
            if next == "?" {
                position += 1
                guard skip(":") else {
                    throw PatternError(message: "groups with options are not supported")
                }
            }
            let node = try parseAlternatives()
            guard skip(")") else { throw PatternError(message: "a parenthesis is not closed") }
            depth -= 1
            return node
        case "[": return .set(try parseSet())
        case ".": return .set(.all)
        case "\\":
            guard let escaped = next else {
                throw PatternError(message: "a backslash ends the pattern")
            }
            position += 1
            return try Self.escapedSet(escaped).map { .set($0) } ?? literal(escaped)
        case "*", "+", "?", "{": throw PatternError(message: "there is nothing to repeat")
        default: return literal(scalar)
        }
    }

    /// A character, folded: to several, one or none.
    private func literal(_ scalar: Unicode.Scalar) -> RegularExpressionNode {
        let folded = folding(String(scalar)).unicodeScalars
        let sets = folded.map { RegularExpressionNode.set(ScalarSet([$0.value...$0.value])) }
        return sets.count == 1 ? sets[0] : sets.isEmpty ? .empty : .sequence(sets)
    }

    /// `\d`, `\w`, `\s` and their opposites; nil for an escaped sign.
    private static func escapedSet(
        _ scalar: Unicode.Scalar
    ) throws(PatternError) -> ScalarSet? {
        let digits: [ClosedRange<UInt32>] = [48...57]
        switch scalar {
        case "d": return ScalarSet(digits)
        case "D": return ScalarSet(digits, isNegated: true)
        // Terms hold little else than letters and digits, so what is not ASCII counts as a letter.
        case "w": return ScalarSet(digits + [65...90, 95...95, 97...122, 128...0x10FFFF])
        case "W":
            return ScalarSet(
                digits + [65...90, 95...95, 97...122, 128...0x10FFFF], isNegated: true)
        case "s": return ScalarSet([9...13, 32...32])
        case "S": return ScalarSet([9...13, 32...32], isNegated: true)
        default:
            guard !QuerySyntax.isPunctuation(String(scalar)), scalar.isASCII else { return nil }
            throw PatternError(message: "a letter or digit after a backslash has no meaning")
        }
    }

    private mutating func parseSet() throws(PatternError) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        let isNegated = skip("^")
        var isFirst = true
        while let scalar = next, isFirst || scalar != "]" {
            isFirst = false
            position += 1
            var lower = scalar
            if scalar == "\\" {
                guard let escaped = next else { break }
                position += 1
                if let set = try Self.escapedSet(escaped) {
                    guard !set.isNegated else {
                        throw PatternError(message: "a set cannot hold an excluding class")
                    }
                    ranges += set.ranges
                    continue
                }
                lower = escaped
            }
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                let folded = folding(String(lower)).unicodeScalars
                // What folds to several characters cannot be one of a set; it stays as it is.
                let value = folded.count == 1 ? folded.first?.value ?? 0 : lower.value
                ranges.append(value...value)
                continue
            }
            position += 1
            var upper = scalars[position]
            position += 1
            if upper == "\\", let escaped = next {
                position += 1
                upper = escaped
            }
            guard lower <= upper else {
                throw PatternError(message: "a range of characters is the wrong way round")
            }
            ranges.append(lower.value...upper.value)
            ranges += foldedRange(lower, upper)
        }
        guard skip("]") else { throw PatternError(message: "a bracket is not closed") }
        return ScalarSet(ranges, isNegated: isNegated)
    }

    /// The folded ends of a range, if they are the ends of a range too: `[A-F]` is `[a-f]` as well.
    private func foldedRange(
        _ lower: Unicode.Scalar, _ upper: Unicode.Scalar
    ) -> [ClosedRange<UInt32>] {
        let low = Array(folding(String(lower)).unicodeScalars)
        let high = Array(folding(String(upper)).unicodeScalars)
        guard low.count == 1, high.count == 1, low[0] <= high[0],
            high[0].value - low[0].value == upper.value - lower.value
        else { return [] }
        return [low[0].value...high[0].value]
    }
}
