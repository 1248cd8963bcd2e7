import Foundation

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// How text becomes words and terms: the analyses of an index's fields, and what of them the stored
/// index depends on.
///
/// **Thread safety**: immutable. It is a class because every search takes one along.
final class Analyzer: Sendable {
    /// More analyses than this are no sensible configuration.
    static let largestCount = 64

    /// The different analyses; the first is that of strings without one of their own.
    let analyses: [FieldAnalyzer]
    /// For each named field the number of its analysis.
    private let analysisOfString: [Int]
    let minimalTokenLength: Int
    /// Those that have words of little value which are indexed.
    private let analysesWithLists: [FieldAnalyzer]
    /// The words of all lists, whether they are indexed or not: no typing error of any of them is
    /// meant.
    let stopWords: ByteSet
    let discardsDuplicates: Bool
    /// Every setting that changes what is stored, by name; kept in the index and compared when it
    /// opens.
    let fingerprint: [String: String]
    /// No part of what is stored.
    let synonyms: SynonymTable
    /// What has an analysis and is no field.
    private let unknownFields: [String]

    /// A short form of the fingerprint and the fields, once somebody asked for it.
    let mark = Mutex<String?>(nil)

    /// The first of several fields, which is mostly a title.
    let titleField: String?

    init(_ configuration: TextIndexConfiguration) {
        titleField = configuration.fields.count > 1 ? configuration.fields.first : nil
        let stopWords = configuration.stopWords
        var analyses = [
            FieldAnalyzer(
                configuration.analysis, defaultStopWords: stopWords,
                indexesStopWords: configuration.indexesStopWords, number: 0)
        ]
        var fingerprint = [
            "analysis": analyses[0].identity,
            "stopWords": analyses[0].stopWordsName,
            "discardDuplicateTokens": String(configuration.discardDuplicateTokens),
        ]
        var different = [configuration.analysis]
        var numbers: [Int] = []
        for (string, name) in configuration.fields.enumerated() {
            guard let analysis = configuration.fieldAnalysis[name] else {
                numbers.append(0)
                continue
            }
            let field = FieldAnalyzer(
                analysis, defaultStopWords: stopWords,
                indexesStopWords: configuration.indexesStopWords, number: analyses.count)
            let known = analyses.first {
                $0.identity == field.identity && $0.listName == field.listName
            }
            if let known {
                numbers.append(known.number)
            } else {
                numbers.append(field.number)
                analyses.append(field)
                different.append(analysis)
            }
            if numbers[string] > 0 {
                fingerprint["analysis of string \(string), \(name)"] = field.identity
                fingerprint["stopWords of string \(string), \(name)"] = field.stopWordsName
            }
        }
        if analyses.count > 1 { analyses = Self.marked(analyses, different, configuration) }
        self.analyses = analyses
        analysesWithLists =
            configuration.indexesStopWords
            ? analyses.filter { !$0.lowValueWords.members.isEmpty } : []
        self.stopWords =
            analyses.count == 1
            ? analyses[0].lowValueWords : ByteSet(union: analyses.map(\.lowValueWords))
        analysisOfString = numbers
        minimalTokenLength = max(configuration.minimalTokenLength, 1)
        discardsDuplicates = configuration.discardDuplicateTokens
        self.fingerprint = fingerprint
        unknownFields = Set(configuration.fieldAnalysis.keys).subtracting(configuration.fields)
            .sorted()
        synonyms = SynonymTable(
            configuration.synonyms, analyses: analyses,
            fields: Array(zip(configuration.fields, numbers)))
    }

    /// The same analyses, made again so that each marks the stop words of all.
    private static func marked(
        _ analyses: [FieldAnalyzer], _ given: [TextAnalysis],
        _ configuration: TextIndexConfiguration
    ) -> [FieldAnalyzer] {
        let all = ByteSet(union: analyses.map(\.stopWords))
        return given.enumerated().map { number, analysis in
            FieldAnalyzer(
                analysis, defaultStopWords: configuration.stopWords,
                indexesStopWords: configuration.indexesStopWords, number: number,
                markedWords: all)
        }
    }

    /// Whether text is analysed by what is ours alone, and by nothing that cannot be had:
    /// `validate()` has nothing to say of it.
    static func isPlain(_ configuration: TextIndexConfiguration) -> Bool {
        let analysis = configuration.analysis
        return configuration.fieldAnalysis.isEmpty && configuration.synonyms == .none
            && analysis.stemming == .none && analysis.filters.isEmpty
            && analysis.tokenizer is UnicodeTokenizer
    }

    /// Throws `.invalidArgument` when something of the configuration cannot be had.
    func validate() throws {
        guard analyses.count <= Self.largestCount else {
            throw TextIndexError(
                .invalidArgument,
                "The fields have \(analyses.count) different analyses; \(Self.largestCount) are taken."
            )
        }
        guard unknownFields.isEmpty else {
            throw TextIndexError(
                .invalidArgument,
                """
                fieldAnalysis names what is none of the fields: \(unknownFields.joined(separator: ", ")). Name it in \
                fields too.
                """)
        }
        for language in Set(analyses.flatMap(\.stemming.languages)) { _ = try Stemmer(language) }
    }

    /// Whether a word of a query text tells objects apart badly: all lists of stop words have it
    /// that have any. Beside other words it is not required, so far as it is indexed.
    func isLowValue(_ text: String) -> Bool {
        !analysesWithLists.isEmpty
            && analysesWithLists.allSatisfy { analysis in
                analysis.lowValueWords.contains(Array(analysis.folder.fold(text).utf8))
            }
    }

    /// The number of the analysis of a string.
    @inline(__always)
    func analysisNumber(ofString string: Int) -> Int {
        string < analysisOfString.count ? analysisOfString[string] : 0
    }

    /// The analysis of a string.
    @inline(__always)
    func analysis(ofString string: Int) -> FieldAnalyzer {
        analyses[analysisNumber(ofString: string)]
    }

    /// The analyses that the strings in question have, each with its strings among them.
    func analyses(
        of string: UInt32?
    ) -> [(analysis: FieldAnalyzer, strings: StringSelection)] {
        if let string { return [(analysis(ofString: Int(string)), .only(string))] }
        if analyses.count == 1 { return [(analyses[0], .all)] }
        return analyses.map { ($0, .analysed(by: $0.number, analysisOfString)) }
    }
}

/// Which strings of an object to look in.
enum StringSelection: Sendable, Hashable {
    case all
    case only(UInt32)
    /// Those of one analysis; given are the analyses of the strings that have one, the others have
    /// number 0.
    case analysed(by: Int, [Int])

    /// All of them, or one.
    init(_ string: UInt32?) { self = string.map { .only($0) } ?? .all }

    @inline(__always)
    func contains(_ string: UInt32) -> Bool {
        switch self {
        case .all: true
        case .only(let wanted): string == wanted
        case .analysed(let number, let analyses):
            (Int(string) < analyses.count ? analyses[Int(string)] : 0) == number
        }
    }
}
