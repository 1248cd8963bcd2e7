/// Makes lists of what may be large: text is read again for each hit, and a page may have a
/// thousand of them.
enum HitList {
    /// An array of what `render` makes of each element, written as it is made.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - limits: how many bytes the list may have.
    ///   - deadline: when it has to be there.
    ///   - render: makes the JSON of one.
    /// - Returns: The array.
    /// - Throws: ``Problem`` where it is too much; what `render` throws.
    static func json<Element>(
        _ elements: some Sequence<Element>, within limits: ServerLimits,
        until deadline: ContinuousClock.Instant, _ render: (Element) throws -> JSON
    ) throws -> JSON {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for element in elements {
            guard .now < deadline else { throw Problem.outOfTime }
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            try render(element).write(to: &bytes)
            guard bytes.count <= limits.answerLength else {
                throw Problem.answerTooLarge(limits.answerLength)
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return .encoded(bytes)
    }
}
