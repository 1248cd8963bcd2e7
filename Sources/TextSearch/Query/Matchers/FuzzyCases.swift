/// What terms within one edit of a word look like, by where the edit is.
///
/// Before an edit and behind it a term is as the word. So it has the first half of the word, or it begins as the word does before one of the places in
/// that half and ends as the word does behind it, or two neighbouring characters are swapped, which names one term.
struct FuzzyCases: Sendable {
    /// An edit at one place of the first half.
    struct Edit: Sendable {
        let beginning: [UInt8]
        let end: InfixNeedle
        /// The term in which the character there and the next one are swapped.
        let swapped: [UInt8]
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
            return Edit(
                beginning: first + bytes(word[..<place]),
                end: InfixNeedle(bytes(word[(place + 1)...])), swapped: first + bytes(swapped))
        }
        beginning = first + bytes(word[..<middle])
    }
}
