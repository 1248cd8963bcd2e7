/// Cuts long texts into pieces, so that the words of one piece alone are held at a time, and the
/// time is looked at between two.
enum TextPieces {
    /// Shorter texts are one piece.
    static let length = 1 << 16
    /// How much of a piece is in the one before it, too.
    private static let overlap = 1 << 10

    /// Calls `body` with each piece, in order, until it returns false. Pieces begin and end at
    /// white space, where there is some nearby.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - overlap: whether each piece begins with the end of the one before it, so that words side
    ///     by side are in one piece.
    ///   - body: takes a piece.
    static func forEach(of text: String, overlap: Bool, _ body: (String) throws -> Bool) rethrows {
        guard text.utf8.count > length else {
            _ = try body(text)
            return
        }
        var text = text
        text.makeContiguousUTF8()
        var start = text.startIndex
        while start < text.endIndex {
            let end = place(length, after: start, in: text)
            guard try body(String(text[start..<end])), end < text.endIndex else { return }
            start =
                overlap && text.utf8.distance(from: start, to: end) > 2 * Self.overlap
                ? place(-Self.overlap, after: end, in: text) : end
        }
    }

    /// Behind the last white space within some bytes before a place, or the place itself, on a
    /// character.
    private static func place(
        _ distance: Int, after start: String.Index, in text: String
    ) -> String.Index {
        let limit = distance > 0 ? text.endIndex : text.startIndex
        guard let end = text.utf8.index(start, offsetBy: distance, limitedBy: limit),
            end != limit
        else { return limit }
        var place = end
        for _ in 0..<Self.overlap where place > text.startIndex {
            let before = text.utf8.index(before: place)
            if [0x20, 0x0a, 0x0d, 0x09].contains(text.utf8[before]) { return place }
            place = before
        }
        return text.index(after: text.index(before: end))
    }
}
