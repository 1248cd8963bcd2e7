extension Stemmer {
    /// The folded stem of a word as it stands in a text, replacing what `result` holds; the folded
    /// word where there is no stem, or where the stem is empty.
    ///
    /// Canonically equal words have the same stem, in every case and with every apostrophe.
    /// What `result` says of characters is that of the stem, and says nothing about the text.
    ///
    /// Complexity: linear in the word.
    func stem(
        word: UnsafeBufferPointer<UInt8>, folder: Folder, into result: inout FoldedWord
    ) {
        if preparation.prepare(word, language) {
            preparation.word.withUnsafeBufferPointer { stem($0, into: &unfoldedStem) }
            unfoldedStem.withUnsafeBufferPointer { folder.fold($0, into: &result) }
            if !result.bytes.isEmpty { return }
        }
        folder.fold(word, into: &result)
    }
}
