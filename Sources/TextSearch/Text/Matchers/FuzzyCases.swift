/// What terms within one edit of a word look like, by where the edit is.
///
/// Before an edit and behind it a term is as the word. So it has the first half of the word, or the
/// second. Then it also has the first character, or it is known what stands behind the first one,
/// or the term is.
struct FuzzyCases: Sendable {
    /// An edit of the first character.
    struct First: Sendable {
        /// What stands behind a character that is another one, and behind one that is inserted.
        let replacedTail: [UInt8]
        let insertedTail: [UInt8]
        /// The terms in which the character is missing, and in which it and the next one are
        /// swapped.
        let named: [[UInt8]]
    }

    /// Nil where the first character may not differ.
    let first: First?
    /// What a term begins with and ends with where the edit is behind the first character, or
    /// behind all that may not differ, and in the first half.
    let beginning: [UInt8]
    let ending: [UInt8]
    /// The term in which the last character of the first half and the one behind it are swapped.
    let swapped: [UInt8]
    /// What a term begins with where the edit is in the second half.
    let firstHalf: [UInt8]
    /// The word, and how many bytes its last character and the one before it take.
    private let whole: [UInt8]
    private let lastCount: Int
    private let secondLastCount: Int

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
        whole = first?.insertedTail ?? bytes(prefix) + bytes(word)
        lastCount = UTF8.width(word[word.endIndex - 1])
        secondLastCount = UTF8.width(word[word.endIndex - 2])
    }

    /// Whether a term that begins with the first half may be within one edit of the word: where the
    /// edit is before the last character it ends with that, where it is that one or behind it the
    /// term begins with the others, and otherwise the last two are swapped.
    @inline(__always)
    func mayMatch(behindFirstHalf term: UnsafeBufferPointer<UInt8>) -> Bool {
        whole.withUnsafeBufferPointer { whole in
            let end = whole.count - lastCount
            if term.hasSuffix(UnsafeBufferPointer(rebasing: whole[end...])) { return true }
            return term.has(whole[firstHalf.count..<end], at: firstHalf.count)
                || hasSwappedEnd(term, whole)
        }
    }

    private func hasSwappedEnd(
        _ term: UnsafeBufferPointer<UInt8>, _ whole: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let end = whole.count - lastCount
        let start = end - secondLastCount
        return term.count == whole.count
            && term.has(whole[firstHalf.count..<start], at: firstHalf.count)
            && term.has(whole[end...], at: start)
            && term.has(whole[start..<end], at: start + lastCount)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the last bytes are those of another; compared from the last one on, as the first of
    /// them most have.
    @inline(__always)
    func hasSuffix(_ suffix: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count >= suffix.count else { return false }
        let start = count - suffix.count
        var offset = suffix.count
        while offset > 0 {
            offset -= 1
            if self[start + offset] != suffix[offset] { return false }
        }
        return true
    }

    /// Whether some bytes stand at a place.
    @inline(__always)
    fileprivate func has(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, at place: Int) -> Bool {
        guard count >= place + bytes.count else { return false }
        var offset = place
        for byte in bytes {
            if self[offset] != byte { return false }
            offset += 1
        }
        return true
    }
}
