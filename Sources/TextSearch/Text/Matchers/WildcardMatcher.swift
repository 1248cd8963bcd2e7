/// Matches whole terms against a pattern with `*` (any characters) and `?` (one character).
///
/// The literal after a `*` is looked for from the left, and once the next `*` is reached nothing
/// before it is tried again: at most *t* · *p* steps for a term of *t* and a pattern of *p* bytes,
/// never more, however many stars there are. Nothing is allocated per term.
struct WildcardMatcher: TermMatcher {
    private enum Step: Equatable {
        case byte(UInt8)
        case one
        case any
    }

    private let steps: [Step]
    let requiredPrefix: [UInt8]

    /// The literal texts between wildcards, all of which a matching term contains.
    let requiredTexts: [[UInt8]]

    /// The longest of them.
    let requiredText: [UInt8]

    var workPerByte: Int { steps.count }

    /// Makes a matcher of a pattern.
    ///
    /// - Parameters:
    ///   - pattern: `*` and `?` are wildcards, a backslash makes the next character plain.
    ///   - folding: Folds the literal texts as the terms are folded.
    init(_ pattern: String, folding: (String) -> String = { $0 }) {
        var steps: [Step] = []
        var texts: [[UInt8]] = []
        for piece in WildcardWord(pattern: pattern).pieces {
            switch piece {
            case .any: if steps.last != .any { steps.append(.any) }
            case .one: steps.append(.one)
            case .literal(let literal):
                let bytes = Array(folding(literal).utf8)
                steps += bytes.map { .byte($0) }
                if !bytes.isEmpty { texts.append(bytes) }
            }
        }
        self.steps = steps
        requiredTexts = texts
        requiredText = texts.max { $0.count < $1.count } ?? []
        requiredPrefix = steps.prefix { $0 != .one && $0 != .any }.compactMap {
            if case .byte(let byte) = $0 { byte } else { nil }
        }
    }

    func matches(_ term: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = 0
        var step = 0
        // Where to resume when what follows the last star fails: one character later.
        var resumePosition = 0
        var resumeStep: Int?
        while true {
            if step < steps.count {
                switch steps[step] {
                case .any:
                    step += 1
                    resumeStep = step
                    resumePosition = position
                    // A star at the end takes all that is left.
                    if step == steps.count { return 0 }
                    continue
                case .byte(let byte) where position < term.count && term[position] == byte:
                    position += 1
                    step += 1
                    continue
                case .one where position < term.count:
                    position = Self.end(ofCharacterAt: position, in: term)
                    step += 1
                    continue
                case .byte, .one: break
                }
            } else if position == term.count {
                return 0
            }
            guard let resume = resumeStep, resumePosition < term.count else { return nil }
            resumePosition = Self.end(ofCharacterAt: resumePosition, in: term)
            position = resumePosition
            step = resume
        }
    }

    private static func end(
        ofCharacterAt position: Int, in term: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var end = position + 1
        while end < term.count, term[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
