/// Decides which terms of a vocabulary match, and how well.
///
/// A matcher knows nothing of any index: terms come as the UTF-8 that the vocabulary stores,
/// folded, and the patterns are folded by a function given when a matcher is made.
protocol TermMatcher: Sendable {
    /// Bytes that every matching term begins with: only such terms need be looked at.
    var requiredPrefix: [UInt8] { get }

    /// Bytes that every matching term holds somewhere; none where no such bytes are known.
    var requiredText: [UInt8] { get }

    /// How many steps a byte of a term may take at the most, none of which takes more than a few
    /// instructions.
    var workPerByte: Int { get }

    /// Compares a term with the pattern.
    ///
    /// - Parameter term: The UTF-8 of a term; it is not kept.
    /// - Returns: The number of edits between them, 0 where there are none, or nil for no match.
    func matches(_ term: UnsafeBufferPointer<UInt8>) -> Int?

    /// The same; where it can be told, `deadEnd` becomes the length of a beginning of the term with
    /// which no term matches, in bytes.
    func matches(_ term: UnsafeBufferPointer<UInt8>, deadEnd: inout Int) -> Int?
}

extension TermMatcher {
    var requiredText: [UInt8] { [] }

    var workPerByte: Int { 1 }

    /// The units of work that a comparison with a term takes; see `SearchClock.isOver(afterWork:)`.
    @inline(__always)
    func work(forBytes count: Int) -> Int { 1 &+ (count &* workPerByte) &>> 6 }

    func matches(_ term: UnsafeBufferPointer<UInt8>, deadEnd: inout Int) -> Int? {
        for (offset, byte) in requiredPrefix.prefix(term.count).enumerated()
        where term[offset] != byte {
            deadEnd = offset + 1
            return nil
        }
        return matches(term)
    }
}

/// What is wrong with a pattern.
struct PatternError: Error, Hashable {
    /// A sentence for people; it does not repeat the pattern.
    let message: String
}
