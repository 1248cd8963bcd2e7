@testable import TextSearch

extension VocabularyPart {
    /// The stored form of terms with chunks; an empty chunk is an entry of its own.
    static func stored(_ terms: [[UInt8]], chunks: [[UInt8]] = []) -> [UInt8] {
        var bytes: [UInt8] = [0]
        for term in terms { bytes += term + [0] }
        var output = Buffer<UInt8>()
        output.appendBigEndian(UInt32(bytes.count))
        output.append(bytes: bytes)
        for place in terms.indices {
            output.appendVarint(place < chunks.count ? chunks[place].count : 0)
        }
        for chunk in chunks { output.append(bytes: chunk) }
        return output.toArray()
    }

    static func of(_ terms: [[UInt8]], chunks: [[UInt8]] = []) throws -> VocabularyPart {
        try stored(terms, chunks: chunks).withUnsafeBytes {
            (bytes) throws(MalformedData) in try VocabularyPart(bytes)
        }
    }
}

extension SeededGenerator {
    /// Draws how postings are stored: few of them in the vocabulary, some, or as many as by
    /// default; written by one thread or two.
    mutating func drawStorage(of configuration: inout TextIndexConfiguration) {
        configuration.inlinePostingsLimit = element([0, 8, 64])
        configuration.leastSplitPostings = element([1, configuration.leastSplitPostings])
    }
}
