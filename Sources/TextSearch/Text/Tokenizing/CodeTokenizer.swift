/// Cuts program text: identifiers into their parts at capitals, underscores and digits
/// (`getHTTPResponse_v2`: get, HTTP, Response, v, 2), and paths at their separators. Numbers such
/// as 3.14 and 0xFF stay whole.
///
/// An identifier of several parts is also indexed as a whole, at the position of its first part.
/// The text of queries is cut into parts, so a name is found however it is spelled.
public struct CodeTokenizer: Tokenizer, Hashable {
    private let keepsIdentifiers: Bool

    /// Creates a tokenizer for indexed text.
    public init() { keepsIdentifiers = true }

    private init(keepsIdentifiers: Bool) { self.keepsIdentifiers = keepsIdentifiers }

    /// The stored name: "code-1", or "code parts-1" for the text of queries.
    public var identity: String { keepsIdentifiers ? "code-1" : "code parts-1" }

    /// A tokenizer that cuts text into parts only.
    public var queryTokenizer: any Tokenizer { CodeTokenizer(keepsIdentifiers: false) }
}

extension CodeTokenizer: ByteTokenizer {
    private enum Kind {
        case capital, small, digit, underscore, mark, other
    }

    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        var index = 0
        while index < text.count {
            let (kind, length) = Self.kind(at: index, in: text)
            switch kind {
            case .other, .mark: index += length
            case .digit: index = number(from: index, in: text) { body($0, false) }
            default: index = identifier(from: index, in: text) { body($0, false) }
            }
        }
    }

    /// A number takes letters, underscores, and points between digits: 0xFF, 1_000, 3.14, 10e6.
    private func number(
        from start: Int, in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
    ) -> Int {
        var index = start
        while index < text.count {
            let (kind, length) = Self.kind(at: index, in: text)
            if kind == .other {
                guard text[index] == 0x2e, index + 1 < text.count,
                    Self.kind(at: index + 1, in: text).kind == .digit
                else { break }
            }
            index += length
        }
        body(start..<index)
        return index
    }

    private func identifier(
        from start: Int, in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
    ) -> Int {
        var parts: [Range<Int>] = []
        var partStart = start
        var previous = Kind.underscore
        var index = start
        func cut(at place: Int) {
            if place > partStart { parts.append(partStart..<place) }
            partStart = place
        }
        /// Where the last capital began, to go to the next part when a small letter follows
        /// several.
        var lastCapital = start
        var capitals = 0
        while index < text.count {
            let (kind, length) = Self.kind(at: index, in: text)
            if kind == .other { break }
            // Belongs to what stands before it.
            if kind == .mark {
                index += length
                continue
            }
            switch (previous, kind) {
            case (.underscore, .underscore): break
            case (_, .underscore): cut(at: index)
            case (.underscore, _): partStart = index
            case (.small, .capital), (.digit, .capital), (.digit, .small), (.capital, .digit),
                (.small, .digit):
                cut(at: index)
            case (.capital, .small): if capitals > 1 { cut(at: lastCapital) }
            default: break
            }
            capitals = kind == .capital ? capitals + 1 : 0
            if kind == .capital { lastCapital = index }
            previous = kind
            index += length
        }
        if previous != .underscore { cut(at: index) }
        let whole = parts.first.map { $0.lowerBound..<(parts.last?.upperBound ?? index) }
        if let whole, keepsIdentifiers, parts.count > 1 { body(whole) }
        parts.forEach(body)
        return index
    }

    private static func kind(
        at index: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (kind: Kind, length: Int) {
        let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
        switch scalar {
        case 0x5f: return (.underscore, length)
        case 0x30...0x39: return (.digit, length)
        case 0x41...0x5a: return (.capital, length)
        case 0x61...0x7a: return (.small, length)
        case 0..<0x80: return (.other, length)
        default: break
        }
        let properties = UnicodeTables.shared.properties(scalar)
        if properties.isTrailing { return (.mark, length) }
        // Letters without case, and numbers of other scripts, are like small letters.
        guard properties.isLetterOrNumber else { return (.other, length) }
        return (properties.isCapital ? .capital : .small, length)
    }
}
