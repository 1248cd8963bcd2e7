import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Analysis: scripts without spaces")
struct AnalysisBigramTests {
    @Test(
        "Runs are pairs of characters, and the last one alone",
        arguments: [
            ("中文字", ["中文", "文字", "字"]),
            ("東京タワー", ["東京", "京タ", "タワ", "ワー", "ー"]),
            ("Swiftで書く", ["swift", "で書", "書く", "く"]),
            ("iPhone用", ["iphone", "用"]),
            ("ｶﾞｽ", ["ガス", "ス"]),
            ("か\u{3099}き", ["がき", "き"]),
            ("น้ำดี", ["น้ำดี", "ดี"]),
            ("ໄທ", ["ໄທ", "ທ"]),
            ("ខ្មែរ", ["ខ្" + "មែ", "មែរ", "រ"]),
            ("中，文", ["中", "文"]),
            ("中\u{2060}文", ["中文", "文"]),
            ("𠀀𠀁", ["𠀀𠀁", "𠀁"]),
            ("3月", ["3", "月"]),
            ("中", ["中"]),
        ])
    func cases(_ text: String, _ terms: [String]) {
        let words = AnalysisWord.scan(text)
        #expect(words.map { $0.term.scalarNumbers } == terms.map { $0.scalarNumbers })
    }

    private static let texts = [
        "中文全文搜索引擎可以在文本中找到任何字符串",
        "東京特許許可局で働いている人々が、カタカナとＡＢＣとSwiftを書く。",
        "ﾊﾝｶｸｶﾀｶﾅﾉｶﾞｽﾊﾟﾝ",
        "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรคระหว่างคำน้ำ๒๕๖๗",
        "ພາສາລາວບໍ່ມີຍະຫວ່າງ",
        "ភាសាខ្មែរគ្មានដកឃ្លា",
        "မြန်မာဘာသာစကား",
        "བོད་ཡིག་ནི་བོད་ཀྱི་ཡི་གེ",
        "漢字\u{2060}か\u{3099}な混じり文",
    ]

    /// The runs of the texts are searched for every piece of them, of whole characters.
    @Test("Every piece of a run is found, where it is", arguments: texts)
    func pieces(_ text: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "bigrams-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let index = try TextIndex<String>(at: folder)
        index.identifier = { Data($0.utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [text]) }
        let others = Self.texts.filter { $0 != text }
        for object in [text, "x " + text + " " + text] + others { index.indexObject(object) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        for (piece, range) in pieces(of: text) {
            let results = try index.searchResults(forKeyword: piece)
            let item = try #require(results.first { $0.identifier == Data(text.utf8) }, "\(piece)")
            let ranges = item.resultTokens.map { item.range(of: $0) }
            #expect(ranges.contains(NSRange(range, in: text)), "\(piece): \(ranges)")
            for result in results {
                let string = try #require(String(data: result.identifier, encoding: .utf8))
                for token in result.resultTokens {
                    let range = result.range(of: token)
                    let found = try #require(Range(range, in: string))
                    check(String(string[found]), equals: piece)
                    // Foundation may take more for one character than this version of Unicode.
                    let shown = try #require(result.range(of: token, in: string))
                    #expect(shown.lowerBound <= found.lowerBound)
                    #expect(shown.upperBound >= found.upperBound)
                }
            }
        }
        try index.close()
    }

    /// What was found is the keyword; only its last character may have marks that the keyword
    /// lacks.
    private func check(_ found: String, equals piece: String) {
        let folder = Folder()
        let (found, piece) = (folder.fold(found), folder.fold(piece))
        #expect(
            found.utf8.starts(with: piece.utf8),
            "\(found.scalarNumbers), not \(piece.scalarNumbers)")
        #expect(
            boundaries(of: found).count == boundaries(of: piece).count,
            "\(found.scalarNumbers), not \(piece.scalarNumbers)")
    }

    /// The pieces of up to eight characters, and the longest, of the runs of a text.
    private func pieces(of text: String) -> [(String, Range<String.Index>)] {
        var pieces: [(String, Range<String.Index>)] = []
        let boundaries = boundaries(of: text)
        for (place, start) in boundaries.dropLast().enumerated() where isSpaceless(text, start) {
            for (length, end) in boundaries[(place + 1)...].enumerated() {
                let isLast = end == text.endIndex || !isSpaceless(text, end)
                let ends = [start, boundaries[place + length]]
                if length < 8 || isLast, !ends.contains(where: { isInvisible(text, $0) }) {
                    pieces.append((String(text.unicodeScalars[start..<end]), start..<end))
                }
                if isLast { break }
            }
        }
        return pieces
    }

    private func boundaries(of text: String) -> [String.Index] {
        text.withBytes { bytes in
            (0...bytes.count).filter { GraphemeBreaks.isBoundary(at: $0, in: bytes) }
        }.map { text.utf8.index(text.startIndex, offsetBy: $0) }
    }

    private func isSpaceless(_ text: String, _ index: String.Index) -> Bool {
        // What is invisible in a run does not part it.
        UnicodeTables.shared.properties(text.unicodeScalars[index].value).isSpaceless
            || isInvisible(text, index)
    }

    private func isInvisible(_ text: String, _ index: String.Index) -> Bool {
        UnicodeTables.shared.properties(text.unicodeScalars[index].value).wordBreak == .format
    }
}
