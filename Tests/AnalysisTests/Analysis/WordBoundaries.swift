@testable import TextSearch

/// The word boundaries of UAX #29, all of them: between spaces, signs and emoji too.
///
/// `WordBreaker` finds words on its own, without what is between them; this is what it is held to.
struct WordBoundaries {
    private let text: UnsafeBufferPointer<UInt8>
    /// Whether an emoji belongs to what a joiner ends (WB3c).
    private let joinsEmoji: Bool
    private let tables = UnicodeTables.shared

    init(_ text: UnsafeBufferPointer<UInt8>, joinsEmoji: Bool = true) {
        self.text = text
        self.joinsEmoji = joinsEmoji
    }

    /// Calls `body` with the UTF-8 range of each segment in turn; together they are the whole text.
    ///
    /// Complexity: linear.
    func forEachSegment(_ body: (Range<Int>) -> Void) {
        var start = 0
        var index = 0
        var state = State()
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(scalar)
            if index > 0, isBoundary(before: properties, endingAt: index + length, state) {
                body(start..<index)
                start = index
            }
            state.advance(properties)
            index += length
        }
        if index > start { body(start..<index) }
    }

    /// What the rules look at before a boundary.
    private struct State {
        /// The class of the scalar before, and that of the last one that is not Extend, Format or
        /// ZWJ on another (WB4).
        var adjacent = WordBreakClass.other
        var previous = WordBreakClass.other
        /// The class before `previous`, counted in the same way.
        var beforePrevious = WordBreakClass.other
        /// How many regional indicators `previous` ends.
        var indicators = 0
        var isAtStart = true

        mutating func advance(_ properties: ScalarProperties) {
            let kind = properties.wordBreak
            let isAbsorbed = properties.isTrailing && !isAtStart && !Self.isLineBreak(adjacent)
            adjacent = kind
            isAtStart = false
            guard !isAbsorbed else { return }
            beforePrevious = previous
            previous = kind
            indicators = kind == .regionalIndicator ? indicators + 1 : 0
        }

        static func isLineBreak(_ kind: WordBreakClass) -> Bool {
            kind == .cr || kind == .lf || kind == .newline
        }
    }

    private func isBoundary(
        before next: ScalarProperties, endingAt end: Int, _ state: State
    ) -> Bool {
        let kind = next.wordBreak
        if state.adjacent == .cr, kind == .lf { return false }  // WB3
        if State.isLineBreak(state.adjacent) || State.isLineBreak(kind) { return true }  // WB3a, b
        if joinsEmoji, state.adjacent == .zwj, next.isPictographic { return false }  // WB3c
        if state.adjacent == .wSegSpace, kind == .wSegSpace { return false }  // WB3d
        if next.isTrailing { return false }  // WB4
        switch (state.previous, kind) {
        case (.aLetter, .aLetter), (.aLetter, .hebrewLetter), (.hebrewLetter, .aLetter),
            (.hebrewLetter, .hebrewLetter):  // WB5
            return false
        case (.aLetter, .midLetter), (.aLetter, .midNumLet), (.aLetter, .singleQuote),
            (.hebrewLetter, .midLetter), (.hebrewLetter, .midNumLet):  // WB6
            return !Self.isLetter(nextClass(from: end))
        case (.hebrewLetter, .singleQuote):  // WB6, 7a
            return false
        case (.midLetter, .aLetter), (.midNumLet, .aLetter), (.singleQuote, .aLetter),
            (.midLetter, .hebrewLetter), (.midNumLet, .hebrewLetter),
            (.singleQuote, .hebrewLetter):  // WB7
            return !Self.isLetter(state.beforePrevious)
        case (.hebrewLetter, .doubleQuote):  // WB7b
            return nextClass(from: end) != .hebrewLetter
        case (.doubleQuote, .hebrewLetter):  // WB7c
            return state.beforePrevious != .hebrewLetter
        case (.numeric, .numeric), (.aLetter, .numeric), (.hebrewLetter, .numeric),
            (.numeric, .aLetter), (.numeric, .hebrewLetter):  // WB8, 9, 10
            return false
        case (.midNum, .numeric), (.midNumLet, .numeric), (.singleQuote, .numeric):  // WB11
            return state.beforePrevious != .numeric
        case (.numeric, .midNum), (.numeric, .midNumLet), (.numeric, .singleQuote):  // WB12
            return nextClass(from: end) != .numeric
        case (.katakana, .katakana):  // WB13
            return false
        case (.aLetter, .extendNumLet), (.hebrewLetter, .extendNumLet), (.numeric, .extendNumLet),
            (.katakana, .extendNumLet), (.extendNumLet, .extendNumLet):  // WB13a
            return false
        case (.extendNumLet, .aLetter), (.extendNumLet, .hebrewLetter), (.extendNumLet, .numeric),
            (.extendNumLet, .katakana):  // WB13b
            return false
        case (.regionalIndicator, .regionalIndicator):  // WB15, 16
            return state.indicators % 2 == 0
        default: return true  // WB999
        }
    }

    private static func isLetter(_ kind: WordBreakClass) -> Bool {
        kind == .aLetter || kind == .hebrewLetter
    }

    /// The class of the next scalar that is not Extend, Format or ZWJ.
    private func nextClass(from start: Int) -> WordBreakClass {
        var place = start
        while place < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: place, in: text)
            let properties = tables.properties(scalar)
            if !properties.isTrailing { return properties.wordBreak }
            place += length
        }
        return .other
    }
}
