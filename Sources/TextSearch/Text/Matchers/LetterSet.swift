/// Which letters a word has, by classes of them, and how many characters it has in all.
struct LetterSet: Sendable {
    static let classCount = 32

    /// A bit for each class.
    private(set) var letters: UInt32 = 0
    private(set) var count = 0

    /// The characters of a term, in UTF-8.
    init(_ term: UnsafeBufferPointer<UInt8>) {
        var scalars = TermScalars(term)
        while let scalar = scalars.next() {
            letters |= 1 << (scalar & 31)
            count += 1
        }
    }

    init(_ word: String) {
        var word = word
        self = word.withUTF8 { LetterSet($0) }
    }
}
