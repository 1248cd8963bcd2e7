import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What people see in a text, they find: any piece of a word, in any script.
@Suite("Analysis: visible text", .timeLimit(.minutes(30)))
struct VisibleTextTests {
    /// Words of one script each, so that a word is what is between spaces.
    private static let scripts: [(name: String, letters: String)] = [
        ("Latin", "abcdeéñßøæœĳŁıſﬁǆ"), ("Greek", "αβγδάέήϊΰςσΩ"), ("Cyrillic", "абвгдеёжзийЁЙґ"),
        ("Hebrew", "אבגדהוזחטיכלםמ"), ("Arabic", "ابتثجحخدذرزسش"), ("Devanagari", "कखगघचछजकिकुकेहिन"),
        ("Bengali", "কখগঘকিকুকেমা"), ("Tamil", "கசடதபமகிகுகேமா"), ("Hangul", "가나다라마바사각난달"),
        ("Georgian", "აბგდევზთ"), ("Armenian", "աբգդեզէը"), ("Han", "漢字文書中国語人大"),
        ("Kana", "ひらがなカタカナがぎパー"), ("Thai", "กขคงกิกุเแ"), ("Lao", "ກຂຄງກິກຸ"),
        ("Khmer", "កខគឃកិកុ"), ("Myanmar", "ကခဂဃကိကု"), ("Tibetan", "ཀཁགངཀིཀུ"), ("digits", "0123456789"),
        ("full width", "ＡＢＣａｂｃ１２"), ("half-width kana", "ｱｲｳｶｷｸﾊﾟｶﾞ"), ("Deseret", "𐐀𐐁𐐨𐐩"),
    ]

    @Test(
        "Every piece of a word is found, and its range is text that folds to it", arguments: 0..<22)
    func pieces(script: Int) throws {
        let (name, letters) = Self.scripts[script]
        let characters = Array(letters)
        var random = SeededGenerator(seed: UInt64(script) &+ 77)
        let folder = Folder()
        let index = try PlainNoteIndex {
            $0.minimalTokenLength = 1
            $0.stopWords = .none
        }
        var notes: [PlainNote] = []
        for id in 0..<24 {
            let words = (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 1...6, using: &random)).map { _ in
                        characters.randomElement(using: &random) ?? "a"
                    })
            }
            // Decomposed text too.
            let text = words.joined(separator: " ")
            notes.append(
                PlainNote(
                    "\(id)", id % 3 == 0 ? text.decomposedStringWithCanonicalMapping : text))
        }
        try index.add(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for note in notes {
                for word in note.strings[0].split(separator: " ") {
                    try expectPieces(of: Array(word), note, index, folder, name)
                }
            }
        }
    }

    /// Characters of which any may stand beside any other.
    private static let mixed = Array("abcéß12漢字文かガ㍿㌕กขคำ가한אبक🦆£👍🏽#️⃣++")

    @Test("Every piece of words of mixed scripts is found in every kind of index", arguments: 0..<6)
    func mixedPieces(choice: Int) throws {
        let tokenizers: [any Tokenizer] = [
            UnicodeTokenizer(), UnicodeTokenizer(keepsSymbols: true), WhitespaceTokenizer(),
            WholeStringTokenizer(), CodeTokenizer(), NGramTokenizer(2...3),
        ]
        var random = SeededGenerator(seed: UInt64(choice) &+ 99)
        let index = try PlainNoteIndex {
            $0.analysis = TextAnalysis(tokenizer: tokenizers[choice], stopWords: StopWords.none)
        }
        let notes = (0..<40).map { id in
            let word = (0..<Int.random(in: 1...7, using: &random)).map { _ in
                String(Self.mixed.randomElement(using: &random) ?? "a")
            }
            return PlainNote("\(id)", word.joined())
        }
        try index.add(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for note in notes {
                let word = Array(note.strings[0])
                for first in word.indices
                where Self.beginsToken(at: first, of: word, tokenizers[choice]) {
                    for last in first..<word.count {
                        let piece = String(word[first...last])
                        guard try !index.index.analyze(piece, asQuery: true).isEmpty else {
                            continue
                        }
                        #expect(
                            try index.ids(piece).contains(note.id), "\(piece) in \(String(word))")
                    }
                }
            }
        }
    }

    /// Whether what begins there is long enough for every way of cutting words: a single letter of
    /// a script with spaces is not.
    private static func beginsToken(
        at place: Int, of word: [Character], _ tokenizer: any Tokenizer
    ) -> Bool {
        func properties(_ character: Character) -> ScalarProperties {
            UnicodeTables.shared.properties(character.unicodeScalars.first?.value ?? 0)
        }
        var rest = word[place...]
        let keepsSymbols =
            (tokenizer as? UnicodeTokenizer)?.keepsSymbols ?? !(tokenizer is CodeTokenizer)
            && !(tokenizer is NGramTokenizer)
        if !keepsSymbols { rest = rest.drop { !properties($0).isLetterOrNumber } }
        let letters = rest.prefix {
            properties($0).isLetterOrNumber && !properties($0).isSpaceless
        }
        let isKorean = letters.first?.unicodeScalars.first.map {
            (0xac00...0xd7a3).contains($0.value)
        }
        return letters.isEmpty || letters.count > 1 || isKorean == true
    }

    private func expectPieces(
        of word: [Character], _ note: PlainNote, _ index: PlainNoteIndex, _ folder: Folder,
        _ name: String
    ) throws {
        for first in word.indices {
            for last in first..<word.count {
                let piece = String(word[first...last])
                let folded = folder.fold(piece)
                // A mark alone is no piece, nor what folds to a part of another character.
                guard !folded.isEmpty else { continue }
                let items = try index.index.searchResults(forKeyword: piece)
                let comment: Comment = "\(name): \(piece) in \(String(word))"
                guard let item = items.first(where: { $0.id == note.id }) else {
                    Issue.record(comment)
                    continue
                }
                #expect(
                    item.resultTokens.contains { token in
                        guard let range = item.range(of: token, in: note.strings[0]) else {
                            return false
                        }
                        return folder.fold(String(note.strings[0][range])).utf8.elementsEqual(
                            folded.utf8)
                    }, comment)
            }
        }
    }

    /// However a string came to be and is held, its words are the same.
    @Test("Words do not depend on how a string is held", arguments: testSeeds(2))
    func representations(seed: UInt64) throws {
        var random = AnalysisRandom(seed: seed)
        for _ in 0..<300 {
            let text = random.string(
                of: AnalysisAlphabet.all, length: Int.random(in: 0...40, using: &random))
            let expected = AnalysisWord.scan(text)
            var pieces = ""
            for scalar in text.unicodeScalars { pieces.unicodeScalars.append(scalar) }
            let utf16 = String(decoding: Array(text.utf16), as: UTF16.self)
            let slice = String(("<" + text + ">").unicodeScalars.dropFirst().dropLast())
            let bridged = NSString(string: text) as String
            let mutable = String(NSMutableString(string: text))
            // In one to five chunks; what is no UTF-8 alone becomes text again where it is joined.
            let cuts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Int.random(in: 0...text.utf8.count, using: &random)
            }
            var chunks: [ArraySlice<UInt8>] = []
            var rest = Array(text.utf8)[...]
            for cut in cuts.sorted() {
                chunks.append(rest.prefix(upTo: cut))
                rest = rest.suffix(from: cut)
            }
            chunks.append(rest)
            let joined = String(decoding: chunks.joined(), as: UTF8.self)
            var grown = ""
            var scalars = text.unicodeScalars[...]
            while !scalars.isEmpty {
                let length = Int.random(in: 1...scalars.count, using: &random)
                grown += String(scalars.prefix(length))
                scalars = scalars.dropFirst(length)
            }
            for other in [pieces, utf16, slice, bridged, mutable, joined, grown] {
                #expect(AnalysisWord.scan(other) == expected, "seed \(seed): \(text.scalarNumbers)")
            }
        }
    }

    @Test("Ranges of text in both directions are those of the stored text")
    func directions() throws {
        let notes = [
            PlainNote("a", "The word שלום (shalom) and مرحبا، then \u{202B}עברית 123\u{202C} end")
        ]
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.texts("שלום", in: notes) == ["שלום"])
            #expect(try index.texts("לום", in: notes) == ["לום"])
            #expect(try index.texts("مرح", in: notes) == ["مرح"])
            #expect(try index.texts("עברית 123", in: notes) == ["עברית", "123"])
            #expect(try index.texts("shalom", in: notes) == ["shalom"])
        }
    }
}
