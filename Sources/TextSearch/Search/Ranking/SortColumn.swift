/// What is sorted of one segment. Places are those in matches, or the numbers of documents in the
/// segment.
enum SortedPart {
    case matches(QueryMatches, Range<Int>)
    /// Whose scores are 0.
    case bits(FilterBits)

    var range: Range<Int> {
        switch self {
        case .matches(_, let range): range
        case .bits(let bits): 0..<(bits.words.count * 64)
        }
    }

    /// The first places.
    func places(_ count: Int) -> [Int] {
        switch self {
        case .matches(_, let range): return Array(range.prefix(count))
        case .bits(let bits):
            var places: [Int] = []
            bits.forEach {
                places.append(Int($0))
                return places.count < count
            }
            return places
        }
    }

    /// The number of a document in the segment.
    @inline(__always)
    func document(_ place: Int, first: UInt32) -> Int {
        if case .matches(let matches, _) = self { return Int(matches.documents[place] - first) }
        return place
    }

    func score(_ place: Int) -> Double {
        if case .matches(let matches, _) = self { matches.scores[place] } else { 0 }
    }

    /// All of them, ascending.
    func documents(first: UInt32) -> ArraySlice<UInt32> {
        switch self {
        case .matches(let matches, let range): matches.documents[range]
        case .bits: places(.max).map { first &+ UInt32($0) }[...]
        }
    }

    /// Calls `body` with each place of a range.
    @inline(__always)
    fileprivate func forEach(_ range: Range<Int>, _ body: (Int) -> Void) {
        switch self {
        case .matches: for place in range { body(place) }
        case .bits(let bits): bits.forEach(in: range) { body($0) }
        }
    }
}

/// What a sort key compares of one document.
enum SortValue {
    case number(Double)
    case attribute(AttributeValue?)
}

extension SortKey {
    func order(_ a: SortValue, _ b: SortValue) -> Int {
        switch (a, b) {
        case (.number(let a), .number(let b)): order(a, b)
        case (.attribute(let a), .attribute(let b)): order(a, b)
        default: 0
        }
    }
}

/// What a sort key compares of the documents of one segment, as numbers of which the least comes
/// first.
struct SortColumn {
    enum Kind {
        /// All are equal.
        case nothing
        case scores
        case weights(SegmentWeights)
        case attribute(AttributeColumn)
    }

    private let kind: Kind
    private let isAscending: Bool
    /// Whether the values are kept for other searches.
    private let areKept: Bool

    init(_ key: SortKey, _ kind: Kind, areKept: Bool = false) {
        self.kind = kind
        self.areKept = areKept
        isAscending = key.direction == .ascending
    }

    /// The first documents that bits have; nil where they are found sooner by a look at all.
    func first(_ count: Int, of bits: FilterBits) -> [Int]? {
        guard case .attribute(let column) = kind, areKept, column.isPlain,
            bits.count >= column.documentCount / 8, count <= bits.count / 4
        else { return nil }
        return column.order.first(count, of: bits, column, isAscending: isAscending)
    }

    /// Calls `body` with each place of a range and what is compared of it.
    @inline(__always)
    func forEachOrdinal(
        of part: SortedPart, _ range: Range<Int>, first: UInt32,
        _ body: (_ place: Int, _ ordinal: UInt64) -> Void
    ) {
        guard case .attribute(let column) = kind else {
            return part.forEach(range) { body($0, ordinal($0, of: part, first: first)) }
        }
        guard column.isPlain else {
            return Self.forEachCode(of: part, range, column, first) {
                body($0, ordinal($1, column))
            }
        }
        let count = UInt64(column.valueCount)
        let isAscending = isAscending
        Self.forEachCode(of: part, range, column, first) { place, code in
            let code = UInt64(truncatingIfNeeded: code)
            body(place, code == 0 ? .max : isAscending ? code : count &- code)
        }
    }

    @inline(__always)
    private static func forEachCode(
        of part: SortedPart, _ range: Range<Int>, _ column: AttributeColumn, _ first: UInt32,
        _ body: (_ place: Int, _ code: Int) -> Void
    ) {
        switch part {
        case .matches(let matches, _):
            column.forEachCode(of: matches.documents[range], first: first, body)
        case .bits(let bits): column.forEachCode(of: bits, range, body)
        }
    }

    /// What is compared of a place.
    func ordinal(_ place: Int, of part: SortedPart, first: UInt32) -> UInt64 {
        switch kind {
        case .nothing: .max
        case .scores: ordinal(part.score(place))
        case .weights(let weights): ordinal(weights[part.document(place, first: first)])
        case .attribute(let column):
            ordinal(column.code(of: part.document(place, first: first)), column)
        }
    }

    private func ordinal(_ code: Int, _ column: AttributeColumn) -> UInt64 {
        let found = column.extreme(of: code, greatest: !isAscending)
        return found.map { UInt64(isAscending ? $0 : column.valueCount - $0) } ?? .max
    }

    @inline(__always)
    private func ordinal(_ number: Double) -> UInt64 {
        // One zero; the bits of positive numbers are in their order.
        let bits = (number + 0).bitPattern
        let ordinal = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        return isAscending ? ordinal : ~ordinal
    }

    /// What is compared between segments.
    func value(of document: Int, score: Double) -> SortValue {
        switch kind {
        case .nothing: return .attribute(nil)
        case .scores: return .number(score)
        case .weights(let weights): return .number(weights[document])
        case .attribute(let column):
            let code = column.extreme(of: column.code(of: document), greatest: !isAscending)
            return .attribute(code.flatMap { column.value(of: $0) })
        }
    }
}
