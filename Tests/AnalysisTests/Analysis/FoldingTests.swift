import Foundation
import Testing

@testable import TextSearch

@Suite("Analysis: folding")
struct AnalysisFoldingTests {
    private let folder = Folder()

    @Test("The tables say what Unicode says")
    func tables() {
        let tables = UnicodeTables.shared
        #expect(tables.properties(0x41).wordBreak == .aLetter)
        #expect(tables.properties(0x10ffff).wordBreak == .other)
        #expect(tables.properties(.max).flags == 0)
        #expect(tables.plainFold(0x416) == 0x436)
        #expect(tables.composite(0x30ab, 0x3099) == 0x30ac)
        #expect(tables.composite(0x1100, 0x1161) == 0xac00)
        #expect(tables.composite(0x61, 0x62) == nil)
    }

    @Test("What is the same to people is the same")
    func cases() throws {
        var count = 0
        for line in try AnalysisFixture.lines("folding.tsv") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map { unescaped(String($0)) }
            #expect(columns.count >= 3, "\(line)")
            guard columns.count >= 3 else { continue }
            count += 1
            let (relation, forms) = (columns[0], columns[1...])
            let folds = Set(forms.map { folder.fold($0) })
            switch relation {
            case "=": #expect(folds.count == 1, "\(line) gives \(folds)")
            case "≠": #expect(folds.count == forms.count, "\(line) gives \(folds)")
            default: Issue.record("no such relation: \(line)")
            }
        }
        #expect(count >= 120)
    }

    /// `\u{…}` stands for a scalar.
    private func unescaped(_ text: String) -> String {
        text.replacing(/\\u\{([0-9a-fA-F]+)\}/) { match in
            let scalar = UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init)
            return scalar.map { String(Character($0)) } ?? ""
        }
    }

    @Test("Folding twice changes nothing: every scalar")
    func idempotentScalars() {
        for scalar in AssignedScalars.all {
            let once = folder.fold(String(Character(scalar)))
            #expect(folder.fold(once) == once, "\(String(scalar.value, radix: 16))")
        }
    }

    @Test("Folding twice changes nothing: random strings")
    func idempotentStrings() {
        for (seed, text) in AnalysisRandom.texts(count: 12_000) {
            let once = folder.fold(text)
            let twice = folder.fold(once)
            #expect(
                Array(twice.utf8) == Array(once.utf8),
                "seed \(seed): \(text.scalarNumbers) → \(once.scalarNumbers) → \(twice.scalarNumbers)"
            )
        }
    }

    @Test("Canonical equivalents fold to the same bytes: every scalar")
    func equivalentScalars() {
        for scalar in AssignedScalars.all {
            let text = String(Character(scalar))
            let folded = folder.fold(text).scalarNumbers
            #expect(
                folder.fold(text.decomposedStringWithCanonicalMapping).scalarNumbers == folded
                    && folder.fold(text.precomposedStringWithCanonicalMapping).scalarNumbers
                        == folded,
                "\(text.scalarNumbers)")
        }
    }

    @Test("Canonical equivalents fold to the same bytes: random strings")
    func equivalentStrings() {
        for (seed, text) in AnalysisRandom.texts(count: 12_000) {
            let folded = folder.fold(text).scalarNumbers
            let decomposed = folder.fold(text.decomposedStringWithCanonicalMapping).scalarNumbers
            #expect(decomposed == folded, "seed \(seed): \(text.scalarNumbers)")
            // Foundation on Linux composes these two with their neighbours, which Unicode does not.
            if text.unicodeScalars.contains("\u{1113}") || text.unicodeScalars.contains("\u{1176}")
            {
                continue
            }
            let composed = folder.fold(text.precomposedStringWithCanonicalMapping).scalarNumbers
            #expect(composed == folded, "seed \(seed): \(text.scalarNumbers)")
        }
    }

}
