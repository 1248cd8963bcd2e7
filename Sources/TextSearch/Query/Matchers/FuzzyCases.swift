/// What terms within one edit of a word look like, by where the edit is.
///
/// Before an edit and behind it a term is as the word. So it has the first half of the word, or the second. Then it also has the first character, or
/// it is known what stands behind the first one, or the term is.
struct FuzzyCases: Sendable {
    /// An edit of the first character.
    struct First: Sendable {
        /// What stands behind a character that is another one, and behind one that is inserted.
        let replacedTail: [UInt8]
        let insertedTail: [UInt8]
        /// The terms in which the character is missing, and in which it and the next one are swapped.
        let named: [[UInt8]]
    }

    /// Nil where the first character may not differ.
    let first: First?
    /// What a term begins with and ends with where the edit is behind the first character, or behind all that may not differ, and in the first half.
    let beginning: [UInt8]
    let ending: [UInt8]
    /// The term in which the last character of the first half and the one behind it are swapped.
    let swapped: [UInt8]
    /// What a term begins with where the edit is in the second half.
    let firstHalf: [UInt8]

    /// Nil for words of one or two characters: what an edit leaves of them most terms have.
    init?(prefix: ArraySlice<Unicode.Scalar>, _ word: ArraySlice<Unicode.Scalar>) {
        guard word.count > 2 else { return nil }
        func bytes(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return Array(String(view).utf8)
        }
        func swapping(_ place: Int) -> [UInt8] {
            var swapped = word
            swapped.swapAt(place, place + 1)
            return bytes(prefix) + bytes(swapped)
        }
        let start = word.startIndex
        let middle = start + word.count / 2
        let tail = bytes(word[(start + 1)...])
        first =
            prefix.isEmpty
            ? First(replacedTail: tail, insertedTail: bytes(word), named: [tail, swapping(start)])
            : nil
        beginning = prefix.isEmpty ? bytes(word[...start]) : bytes(prefix)
        // Two characters at the least.
        ending = bytes(word[middle...])
        swapped = swapping(middle - 1)
        firstHalf = bytes(prefix) + bytes(word[..<middle])
    }
}
