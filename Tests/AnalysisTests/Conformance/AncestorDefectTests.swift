import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// The index has an ancestor whose users met these defects; each test shows what they had meant to
/// happen.
@Suite("Defects of the ancestor that are not ours: text")
struct AncestorDefectTests {
    @Test("M1: words whose folded length differs are found, with ranges of the original")
    func m01_foldedLengthDiffers() throws {
        let notes = [
            PlainNote("street", "Die Straße nach Gießen"),
            PlainNote("name", "Marc-Andre\u{301} und Jose\u{301}"),
            PlainNote("ligature", "Ein ﬁnes Haus, oﬃziell"),
        ]
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for keyword in ["straße", "strasse", "STRASSE", "Strasse"] {
                #expect(try index.texts(keyword, in: notes) == ["Straße"], "\(keyword)")
            }
            #expect(try index.texts("rass", in: notes) == ["raß"])
            #expect(try index.texts("se", in: notes) == ["ße", "ße", "se\u{301}"])
            #expect(try index.texts("giessen", in: notes) == ["Gießen"])
            #expect(try index.texts("nach", in: notes) == ["nach"])
            #expect(try index.texts("andré", in: notes) == ["Andre\u{301}"])
            #expect(try index.texts("dre", in: notes) == ["dre\u{301}"])
            #expect(try index.texts("und", in: notes) == ["und"])
            #expect(try index.texts("osé", in: notes) == ["ose\u{301}"])
            #expect(try index.texts("fines", in: notes) == ["ﬁnes"])
            #expect(try index.texts("ine", in: notes) == ["ﬁne"])
            #expect(try index.texts("offi", in: notes) == ["oﬃ"])
            #expect(try index.texts("haus", in: notes) == ["Haus"])
        }
        let item = try #require(try index.index.searchResults(forKeyword: "gießen").first)
        let token = try #require(item.resultTokens.first)
        #expect(item.range(of: token) == NSRange(location: 16, length: 6))
    }

    @Test("M2: the end of a word beyond ASCII is found by plain letters")
    func m02_asciiEndOfOtherWord() throws {
        let notes = [PlainNote("city", "Łódź i okolice"), PlainNote("mixed", "préfecture")]
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for keyword in ["łódź", "lodz", "ŁÓDŹ", "Łódz"] {
                #expect(try index.texts(keyword, in: notes) == ["Łódź"], "\(keyword)")
            }
            #expect(try index.texts("odz", in: notes) == ["ódź"])
            #expect(try index.texts("dz", in: notes) == ["dź"])
            #expect(try index.texts("fecture", in: notes) == ["fecture"])
            #expect(try index.texts("ure", in: notes) == ["ure"])
        }
    }

    @Test("M3: plain letters do not find words whose code units have the same bytes")
    func m03_noHitsAcrossEncodings() throws {
        // U+6261, U+6162 and U+6163 hold the bytes of "ab", "ba", "ca" in one order or the other.
        let notes = [PlainNote("han", "\u{6261} \u{6162}\u{6163}"), PlainNote("latin", "ab ba ca")]
        let index = try PlainNoteIndex(notes) { $0.minimalTokenLength = 1 }
        for stage in Stage.allCases {
            try index.enter(stage)
            for keyword in ["a", "b", "ab", "ba", "ca", "aba"] {
                #expect(try !index.ids(keyword).contains("han"), "\(keyword)")
            }
            #expect(try index.ids("\u{6261}") == ["han"])
            #expect(try index.ids("\u{6162}\u{6163}") == ["han"])
        }
    }

    @Test("M4: tokens that begin with the same code unit are all found")
    func m04_noTokenDroppedByHash() throws {
        // Each word has letters beyond ASCII, an "a" before them, and a rest of its own.
        let polish = (0..<26).map { "aж\(Character(UnicodeScalar(UInt8(97 + $0))))xa" }
        let han = (0..<40).compactMap { UnicodeScalar(0x4e00 + $0 * 7) }.map { "一\($0)" }
        let notes = [PlainNote("many", polish.joined(separator: " "), han.joined(separator: "，"))]
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for word in polish {
                #expect(try index.texts(word, in: notes) == [word])
                #expect(try index.texts(String(word.dropFirst()), in: notes).count == 1)
            }
            for word in han { #expect(try index.texts(word, in: notes).contains(word), "\(word)") }
            #expect(try index.texts("一", in: notes).count >= han.count)
        }
    }

    @Test("M7: folding does not depend on the locale, neither when writing nor when reading")
    func m07_localeIndependent() async throws {
        let directory = temporaryDirectory("locale")
        let path = directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv("LC_ALL", "tr_TR.UTF-8", 1)
            setenv("LANG", "tr_TR.UTF-8", 1)
            setlocale(LC_ALL, "tr_TR.UTF-8")
            let index = try TextIndex<String>(at: URL(fileURLWithPath: path))
            index.identifier = { Data($0.utf8) }
            index.indexer = { text, _ in IndexedObject(strings: [text]) }
            _ = try await index.indexObject("ISTANBUL İSTANBUL ILGIN").value()
            let found = try await index.searchResults(forKeyword: "istanbul")
            try await index.shutdown()
            guard found.first?.resultTokens.count == 2 else { exit(1) }
        }
        let index = try PlainNoteIndex(at: directory)
        for keyword in ["istanbul", "ISTANBUL", "İstanbul", "ilgin", "ILGIN"] {
            #expect(try index.ids(keyword).count == 1, "\(keyword)")
        }
    }

    @Test("M14: a typographic apostrophe is an apostrophe, in text, stop words and keywords")
    func m14_typographicApostrophe() throws {
        for list in [["don't"], ["don’t"]] {
            let notes = [
                PlainNote("text", "Don’t panic, don't worry"), PlainNote("other", "donkey"),
            ]
            let index = try PlainNoteIndex(notes) {
                $0.stopWords = .words(list)
                $0.indexesStopWords = false
            }
            for stage in Stage.allCases {
                try index.enter(stage)
                #expect(try index.ids("don") == ["other"])
                #expect(try index.ids("don't panic") == ["text"])
                #expect(try index.ids("DON’T worry") == ["text"])
            }
        }
        let notes = [PlainNote("text", "Rock’n’roll isn’t dead")]
        let index = try PlainNoteIndex(notes) { $0.stopWords = .none }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.texts("isn't", in: notes) == ["isn’t"])
            #expect(try index.texts("isn’t", in: notes) == ["isn’t"])
            #expect(try index.texts("n'r", in: notes) == ["n’r"])
        }
    }
}
