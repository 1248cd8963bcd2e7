import Testing

@testable import TestSupport
@testable import TextSearch

/// A word as the scanner gives it, with its text.
struct AnalysisWord: Equatable, CustomStringConvertible {
    var term: String
    var utf16Start: Int
    var isRegular: Bool
    var isBigram: Bool
    var clusters: [FoldedWord.Cluster]

    var description: String { "\(term.scalarNumbers)@\(utf16Start)" }

    /// What the whole scanner finds, fast path and all.
    static func scan(_ text: String) -> [AnalysisWord] {
        text.withBytes { scan($0) }
    }

    static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> [AnalysisWord] {
        let analyzer = Analyzer(analysisConfiguration)
        var terms = TermTable(slotBits: 6)
        var scanner = TextScanner()
        var found: [(word: ScannedWord, clusters: [FoldedWord.Cluster])] = []
        scanner.scan(bytes, analysis: analyzer.analyses[0], into: &terms) { word, folded in
            found.append((word, word.isRegular ? [] : folded.clusters))
        }
        return found.map { word, clusters in
            AnalysisWord(
                term: String(decoding: terms.array(Int(word.term)), as: UTF8.self),
                utf16Start: word.utf16Start, isRegular: word.isRegular, isBigram: word.isBigram,
                clusters: clusters)
        }
    }

    /// What the general breaker and the folder find, with neither fast path nor cache.
    static func reference(_ text: String) -> [AnalysisWord] {
        let folder = Folder()
        return text.withBytes { bytes in
            spans(of: bytes).flatMap { span in
                let word = UnsafeBufferPointer(rebasing: bytes[span.start..<span.end])
                var folded = FoldedWord()
                folder.fold(word, into: &folded)
                let pieces = SpacelessScript.begins(word) ? folded.pieces() : nil
                let words = pieces ?? (folded.bytes.isEmpty ? [] : [folded])
                return words.enumerated().map { place, folded in
                    AnalysisWord(
                        term: String(decoding: folded.bytes, as: UTF8.self),
                        utf16Start: span.utf16Start, isRegular: folded.isRegular,
                        isBigram: span.isBigram || place < words.count - 1,
                        clusters: folded.isRegular ? [] : folded.clusters)
                }
            }
        }
    }

    /// The words of the general breaker, of the whole text.
    static func spans(of bytes: UnsafeBufferPointer<UInt8>) -> [WordSpan] {
        var spans: [WordSpan] = []
        var index = 0
        var utf16 = 0
        var plain = PlainFold()
        while index < bytes.count {
            var breaker = WordBreaker(bytes, from: index, utf16Offset: utf16)
            let (end, utf16End) = breaker.scanRegion(folding: &plain) { span, _ in
                spans.append(span)
            }
            // A region ends before an ASCII character that no word holds.
            index = end < bytes.count ? end + 1 : end
            utf16 = utf16End + 1
        }
        return spans
    }

    private static var analysisConfiguration: TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        return configuration
    }
}

/// Characters to make random texts of.
enum AnalysisAlphabet {
    static let signs = scalars(
        " .,:;'\"_-\n\r\t/\u{2019}\u{2018}\u{b7}\u{2024}\u{ff0e}\u{203f}\u{5f3}\u{5f4}")
    static let invisible = scalars("\u{ad}\u{200b}\u{200c}\u{200d}\u{200e}\u{2060}\u{feff}\u{fe0f}")
    static let marks = scalars(
        "\u{300}\u{301}\u{308}\u{323}\u{327}\u{345}\u{5b7}\u{64e}\u{651}\u{20dd}")
    static let emoji = scalars("😀❤👨👩🇩🇪Ⓜ©ℹ🅰½²①")
    static let ascii = scalars("abcXYZ019")
    static let letters = scalars(
        "éÅßŁøıİĲŉǆﬁſΑαΣςώᾳЁйґӨאבגדىيةلاﻻकखिष्ऩक़தொকো가각힣ㄱㅏᄀ까ᅪᆨᆪᜀⴰԱև٣५")
    static let spaceless = scalars("漢字々〇ひらがなカタカナーｶﾞﾊﾟ゙ไทยกิน้ำແລະខ្មែរမြန်မာབོད་ᥐᦀ㍿㌕ໝ\u{e4d}\u{e32}")

    static let spaced = signs + invisible + marks + emoji + ascii + letters
    static let all = spaced + spaceless

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}

@Suite("Analysis: words")
struct AnalysisWordTests {
    /// Words are what UAX #29 says, but for two things: they hold no emoji, and no quote at the end
    /// of a Hebrew word.
    @Test("Words are the segments that hold a letter or number")
    func wordsAreSegments() {
        let assigned = AssignedScalars.all.filter {
            !UnicodeTables.shared.properties($0.value).isSpaceless
        }
        for seed in 1...6000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let alphabet = seed % 3 == 0 ? assigned : AnalysisAlphabet.spaced
            let text = random.string(
                of: alphabet + AnalysisAlphabet.signs,
                length: Int.random(in: 1...16, using: &random))
            text.withBytes { bytes in
                let found = AnalysisWord.spans(of: bytes).map { $0.start..<$0.end }
                let expected = expectedWords(in: bytes)
                #expect(found == expected, "seed \(seed): \(text.scalarNumbers)")
            }
        }
    }

    private func expectedWords(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        let tables = UnicodeTables.shared
        var words: [Range<Int>] = []
        WordBoundaries(bytes, joinsEmoji: false).forEachSegment { segment in
            var holdsLetter = false
            var endsInQuote = false
            var quote = segment.upperBound
            var index = segment.lowerBound
            while index < segment.upperBound {
                let (scalar, length) = UTF8Decoding.scalar(at: index, in: bytes)
                let properties = tables.properties(scalar)
                // A half-width voicing mark is a letter that only goes with another.
                if properties.isLetterOrNumber, !properties.isTrailing { holdsLetter = true }
                if !properties.isTrailing {
                    endsInQuote = properties.wordBreak == .singleQuote
                    quote = index
                }
                index += length
            }
            if holdsLetter {
                words.append(segment.lowerBound..<(endsInQuote ? quote : segment.upperBound))
            }
        }
        return words
    }

    @Test("The scanner's short cuts and its cache give what the breaker and the folder give")
    func shortcuts() {
        for seed in 1...8000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let alphabet: [Unicode.Scalar] =
                switch seed % 4 {
                case 0: AnalysisAlphabet.ascii + AnalysisAlphabet.signs
                case 1: AnalysisAlphabet.all
                case 2: AnalysisAlphabet.ascii + AnalysisAlphabet.signs + AnalysisAlphabet.spaceless
                default: AssignedScalars.all
                }
            var text = random.string(of: alphabet, length: Int.random(in: 1...24, using: &random))
            // Twice, so that the cache answers.
            text += " " + text
            let found = AnalysisWord.scan(text)
            #expect(found == AnalysisWord.reference(text), "seed \(seed): \(text.scalarNumbers)")
        }
    }

    @Test("A long text of words that fold slowly empties the cache, and gives the same")
    func fullCache() {
        var random = AnalysisRandom(seed: 7)
        var text = ""
        for _ in 0..<40_000 {
            text += "e\u{301}" + String(Int.random(in: 0...30_000, using: &random), radix: 36) + " "
        }
        #expect(AnalysisWord.scan(text) == AnalysisWord.reference(text))
    }

    @Test("Random bytes are words too")
    func randomBytes() {
        for seed in 1...4000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: seed % 2 == 0 ? 0x80 ... .max : .min ... .max, using: &random)
            }
            bytes.withUnsafeBufferPointer { buffer in
                var last = -1
                for word in AnalysisWord.scan(buffer) {
                    // The words of a sign such as ㍿ begin at one place.
                    let isPiece = word.utf16Start == last && !word.isRegular
                    #expect(word.utf16Start > last || isPiece, "seed \(seed)")
                    last = word.utf16Start
                }
            }
        }
    }
}
