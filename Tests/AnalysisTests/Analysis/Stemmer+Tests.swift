@testable import TextSearch

extension Stemmer {
    /// The folded stem of a text that is one word.
    func stem(_ text: String, folder: Folder) -> String {
        var text = text
        var folded = FoldedWord()
        text.withUTF8 { stem(word: $0, folder: folder, into: &folded) }
        return String(decoding: folded.bytes, as: UTF8.self)
    }
}
