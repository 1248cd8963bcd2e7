// Stands in for the Unicode tables, which follow: only ASCII words are found as yet.
struct FoldingOptions {}

enum WordKind { case word, bigram }

struct WordSpan {
    var start: Int
    var end: Int
    var utf16Start: Int
    var utf16End: Int
    var kind: WordKind
}

func scanRegion(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, utf16Offset: Int,
    emit: (WordSpan) -> Void
) -> (end: Int, utf16End: Int) { (start + 1, utf16Offset + 1) }

struct FoldedWord {
    var bytes: [UInt8] = []
    var isRegular = true
    var clusters: [(foldedLength: UInt16, utf16Length: UInt32)] = []
}

struct Folder: Sendable {
    let identity = "ascii"

    init(_ options: FoldingOptions) {}

    func fold(_ word: UnsafeBufferPointer<UInt8>, into: inout FoldedWord) {}

    func fold(_ string: String) -> String { string.lowercased() }
}

enum GraphemeBreaks {
    static func isBoundary(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool { true }
}

enum SpacelessScript {
    static func begins(_ term: UnsafeBufferPointer<UInt8>) -> Bool { false }

    static func begins(_ term: [UInt8]) -> Bool { false }
}
