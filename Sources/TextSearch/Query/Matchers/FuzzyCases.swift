/// What terms within one edit of a word look like, by where the edit is.
///
/// Before an edit and behind it a term is as the word. So it has the first half of the word, or it begins as the word does before one of the places in
/// that half, where a character is missing, another one stands, or one more: all behind it is known.
struct FuzzyCases: Sendable {
    /// An edit at one place of the first half.
    struct Edit: Sendable {
        let beginning: [UInt8]
        /// What stands behind a character that is another one, and behind one that is inserted.
        let replacedEnd: [UInt8]
        let insertedEnd: [UInt8]
        /// The terms in which the character is missing, and in which it and the next one are swapped.
        let named: [[UInt8]]
    }

    /// From the first place on.
    let edits: [Edit]
    /// What a term begins with where the edit is behind the first half.
    let beginning: [UInt8]

    /// Nil for words of one or two characters: what an edit leaves of them most terms have.
    init?(prefix: ArraySlice<Unicode.Scalar>, _ word: ArraySlice<Unicode.Scalar>) {
        guard word.count > 2 else { return nil }
        func bytes(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return Array(String(view).utf8)
        }
        let first = bytes(prefix)
        let middle = word.startIndex + word.count / 2
        edits = (word.startIndex..<middle).map { place in
            var swapped = word
            swapped.swapAt(place, place + 1)
            let beginning = first + bytes(word[..<place])
            let end = bytes(word[(place + 1)...])
            return Edit(
                beginning: beginning, replacedEnd: end, insertedEnd: bytes(word[place...]),
                named: [beginning + end, first + bytes(swapped)])
        }
        beginning = first + bytes(word[..<middle])
    }
}
