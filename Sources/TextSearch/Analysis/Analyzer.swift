import Foundation

/// How text becomes words and terms: folding, stop words and what of them the stored index depends on.
///
/// **Thread safety**: an immutable value.
struct Analyzer: Sendable {
    let folder: Folder
    let stopWords: ByteSet
    let minimalTokenLength: Int
    let discardsDuplicates: Bool
    /// Every setting that changes what is stored, by name; kept in the index and compared when it opens.
    let fingerprint: [String: String]

    init(_ configuration: TextIndexConfiguration) {
        folder = Folder()
        let folder = folder
        stopWords = ByteSet(configuration.stopWords.words.map { Array(folder.fold($0).utf8) })
        minimalTokenLength = max(configuration.minimalTokenLength, 1)
        discardsDuplicates = configuration.discardDuplicateTokens
        fingerprint = [
            "analysis": folder.identity,
            "stopWords": configuration.stopWords.name,
            "discardDuplicateTokens": String(configuration.discardDuplicateTokens),
        ]
    }
}
