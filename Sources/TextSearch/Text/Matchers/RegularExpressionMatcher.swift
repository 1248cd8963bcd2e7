/// Matches whole terms against a regular expression, in time linear in the length of the term.
///
/// The expression becomes an automaton of positions (Glushkov 1961), one for each character set in
/// it, and all positions that can be reached are followed at once, as bits: O(*t* · *p*² / 64) for
/// a term of *t* characters and *p* ≤ ``maximumPositions`` positions, usually O(*t*). Nothing
/// back-tracks, and nothing is allocated per term but ``wordCount`` × 3 words on the stack.
struct RegularExpressionMatcher: TermMatcher {
    /// How many character sets an expression may have once its repetitions are written out.
    static let maximumPositions = 512

    /// The number of 64-bit words in a set of positions.
    private let wordCount: Int
    private let sets: [ScalarSet]
    /// For each position, the positions that may come after it.
    private let follow: [UInt64]
    /// For each ASCII character, the positions that accept it.
    private let ascii: [UInt64]
    private let first: [UInt64]
    private let last: [UInt64]
    private let matchesEmpty: Bool
    let requiredPrefix: [UInt8]
    let requiredText: [UInt8]

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - folding: Folds single characters of the pattern as the terms are folded.
    /// - Throws: ``PatternError`` if the pattern is malformed or too large.
    init(
        _ pattern: String, folding: @escaping (String) -> String = { $0 }
    ) throws(PatternError) {
        let node = try Self.parse(pattern, folding: folding)
        var builder = PositionBuilder(capacity: node.size)
        let fragment = builder.build(node)
        sets = builder.sets
        let wordCount = builder.wordCount
        self.wordCount = wordCount
        follow = builder.follow
        first = fragment.first
        last = fragment.last
        matchesEmpty = fragment.isNullable
        var ascii = [UInt64](repeating: 0, count: 128 * wordCount)
        for (position, set) in sets.enumerated() {
            set.forEachASCII {
                ascii[$0 * wordCount + position / 64] |= 1 << UInt64(position % 64)
            }
        }
        self.ascii = ascii
        var prefix: [UInt8] = []
        node.appendPrefix(to: &prefix)
        requiredPrefix = prefix
        requiredText = node.requiredText
    }

    /// How many units of work it takes to compile a pattern: one for 64 pairs of positions.
    /// Complexity: O(*n*).
    static func compilationWork(_ pattern: String) -> Int {
        let size = (try? parse(pattern) { $0 })?.size ?? 0
        return 1 + size * size / 64
    }

    var workPerByte: Int { sets.count * wordCount }

    /// Throws if a pattern does not compile, without compiling it. Complexity: O(*n*).
    static func check(_ pattern: String) throws(PatternError) {
        _ = try parse(pattern) { $0 }
    }

    private static func parse(
        _ pattern: String, folding: @escaping (String) -> String
    ) throws(PatternError) -> RegularExpressionNode {
        var parser = try RegularExpressionParser(pattern, folding: folding)
        let node = try parser.parse()
        guard node.size <= maximumPositions else {
            throw PatternError(message: "it is too large once its repetitions are written out")
        }
        return node
    }

    func matches(_ term: UnsafeBufferPointer<UInt8>) -> Int? {
        if term.isEmpty { return matchesEmpty ? 0 : nil }
        // Zeroed before use; no reference leaves the closure.
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * wordCount) { memory in
            memory.initialize(repeating: 0)
            let active = UnsafeMutableBufferPointer(rebasing: memory[..<wordCount])
            let reached = UnsafeMutableBufferPointer(rebasing: memory[wordCount...])
            return run(term, active: active, reached: reached) ? 0 : nil
        }
    }

    private func run(
        _ term: UnsafeBufferPointer<UInt8>, active: UnsafeMutableBufferPointer<UInt64>,
        reached: UnsafeMutableBufferPointer<UInt64>
    ) -> Bool {
        var scalars = TermScalars(term)
        for word in 0..<wordCount { reached[word] = first[word] }
        while let scalar = scalars.next() {
            var isAlive = false
            for word in 0..<wordCount {
                let accepting =
                    scalar < 128
                    ? reached[word] & ascii[Int(scalar) * wordCount + word]
                    : accepting(scalar, of: reached[word], word: word)
                active[word] = accepting
                if accepting != 0 { isAlive = true }
            }
            guard isAlive else { return false }
            for word in 0..<wordCount { reached[word] = 0 }
            for word in 0..<wordCount {
                var bits = active[word]
                while bits != 0 {
                    let position = word * 64 + bits.trailingZeroBitCount
                    bits &= bits - 1
                    for target in 0..<wordCount {
                        reached[target] |= follow[position * wordCount + target]
                    }
                }
            }
        }
        return (0..<wordCount).contains { active[$0] & last[$0] != 0 }
    }

    /// The positions of one word of bits that accept a character beyond ASCII.
    private func accepting(_ scalar: UInt32, of candidates: UInt64, word: Int) -> UInt64 {
        var candidates = candidates
        var result: UInt64 = 0
        while candidates != 0 {
            let bit = candidates.trailingZeroBitCount
            candidates &= candidates - 1
            if sets[word * 64 + bit].contains(scalar) { result |= 1 << UInt64(bit) }
        }
        return result
    }
}

/// Gives every character set of an expression a position, and finds which may follow which.
private struct PositionBuilder {
    struct Fragment {
        var first: [UInt64]
        var last: [UInt64]
        var isNullable: Bool
    }

    let wordCount: Int
    private(set) var sets: [ScalarSet] = []
    private(set) var follow: [UInt64] = []

    init(capacity: Int) { wordCount = max(1, (capacity + 63) / 64) }

    private var empty: Fragment {
        let none = [UInt64](repeating: 0, count: wordCount)
        return Fragment(first: none, last: none, isNullable: true)
    }

    mutating func build(_ node: RegularExpressionNode) -> Fragment {
        switch node {
        case .empty: return empty
        case .set(let set):
            var fragment = empty
            fragment.first[sets.count / 64] |= 1 << UInt64(sets.count % 64)
            fragment.last = fragment.first
            fragment.isNullable = false
            sets.append(set)
            follow += [UInt64](repeating: 0, count: wordCount)
            return fragment
        case .sequence(let nodes):
            return nodes.reduce(empty) { joined($0, build($1)) }
        case .alternatives(let nodes):
            var result = empty
            result.isNullable = false
            for node in nodes {
                let fragment = build(node)
                result.first.formUnion(fragment.first)
                result.last.formUnion(fragment.last)
                result.isNullable = result.isNullable || fragment.isNullable
            }
            return result
        case .repeated(let node, let least, let greatest):
            var result = empty
            for _ in 0..<least { result = joined(result, build(node)) }
            guard let greatest else {
                var loop = build(node)
                link(loop.last, to: loop.first)
                loop.isNullable = true
                return joined(result, loop)
            }
            for _ in least..<greatest {
                var optional = build(node)
                optional.isNullable = true
                result = joined(result, optional)
            }
            return result
        }
    }

    private mutating func joined(_ a: Fragment, _ b: Fragment) -> Fragment {
        link(a.last, to: b.first)
        var result = Fragment(
            first: a.first, last: b.last, isNullable: a.isNullable && b.isNullable)
        if a.isNullable { result.first.formUnion(b.first) }
        if b.isNullable { result.last.formUnion(a.last) }
        return result
    }

    private mutating func link(_ last: [UInt64], to first: [UInt64]) {
        for position in sets.indices where last[position / 64] >> UInt64(position % 64) & 1 == 1 {
            for word in 0..<wordCount { follow[position * wordCount + word] |= first[word] }
        }
    }
}

extension [UInt64] {
    fileprivate mutating func formUnion(_ other: [UInt64]) {
        for index in indices { self[index] |= other[index] }
    }
}

extension RegularExpressionNode {
    /// How many positions the expression has at most, counting what is empty too, so that writing
    /// out the repetitions of nothing is bounded as well. Never overflows.
    fileprivate var size: Int {
        let limit = RegularExpressionMatcher.maximumPositions + 1
        switch self {
        case .empty, .set: return 1
        case .sequence(let nodes), .alternatives(let nodes):
            return nodes.reduce(1) { min($0 + $1.size, limit) }
        case .repeated(let node, let least, let greatest):
            // At most 513 × 256.
            return min(node.size * max(greatest ?? least + 1, 1), limit)
        }
    }

    /// Appends the text that every match begins with; returns whether that was all of the match.
    @discardableResult
    fileprivate func appendPrefix(to prefix: inout [UInt8]) -> Bool {
        switch self {
        case .empty: return true
        case .set(let set):
            guard let scalar = set.onlyScalar else { return false }
            prefix += Array(String(scalar).utf8)
            return true
        case .sequence(let nodes):
            return nodes.allSatisfy { $0.appendPrefix(to: &prefix) }
        case .alternatives: return false
        case .repeated(let node, let least, let greatest):
            guard least > 0 else { return false }
            return node.appendPrefix(to: &prefix) && least == 1 && greatest == 1
        }
    }

    /// The longest text that is found to be in everything that matches.
    fileprivate var requiredText: [UInt8] { texts.max { $0.count < $1.count } ?? [] }

    /// Texts that everything that matches has.
    private var texts: [[UInt8]] {
        var texts: [[UInt8]] = [[]]
        appendTexts(to: &texts)
        return texts.filter { !$0.isEmpty }
    }

    /// Appends what always matches to the last text, and begins another one behind what differs.
    private func appendTexts(to texts: inout [[UInt8]]) {
        switch self {
        case .empty: break
        case .set(let set):
            if let scalar = set.onlyScalar {
                texts[texts.count - 1] += Array(String(scalar).utf8)
            } else {
                texts.append([])
            }
        case .sequence(let nodes): for node in nodes { node.appendTexts(to: &texts) }
        case .alternatives(let nodes):
            let others = nodes.dropFirst().map(\.texts)
            let common = (nodes.first?.texts ?? []).filter { text in
                others.allSatisfy { $0.contains { $0.contains(text) } }
            }
            texts += common + [[]]
        case .repeated(let node, let least, let greatest):
            if least > 0 { node.appendTexts(to: &texts) }
            if least != 1 || greatest != 1 { texts.append([]) }
        }
    }
}

extension ScalarSet {
    /// The character of a set that has one alone.
    fileprivate var onlyScalar: Unicode.Scalar? {
        guard !isNegated, ranges.count == 1, ranges[0].lowerBound == ranges[0].upperBound else {
            return nil
        }
        return Unicode.Scalar(ranges[0].lowerBound)
    }
}
