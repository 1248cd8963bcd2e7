import Foundation
import Testing

@testable import TextSearch

@Suite("Analysis: stemming")
struct StemmerTests {
    private let folder = Folder()

    // MARK: Published vocabularies

    @Test(
        "Every word of the published vocabularies has the published stem",
        arguments: StemmerFixture.languages)
    func vocabulary(_ language: StemmerLanguage) throws {
        let stemmer = try Stemmer(language)
        let older = try StemmerFixture.olderStems(language)
        var (words, newerCount, olderCount) = (0, 0, 0)
        var stem: [UInt8] = []
        try StemmerFixture.forEachLine(language.rawValue) { word, published in
            words += 1
            stemmer.stem(word, into: &stem)
            let isPublished = stem.elementsEqual(published)
            guard let olderStem = older[Array(word)] else {
                #expect(isPublished, "\(text(word)): \(text(stem)) for \(text(published))")
                return
            }
            if isPublished { newerCount += 1 }
            if stem == olderStem { olderCount += 1 }
            #expect(
                isPublished || stem == olderStem,
                "\(text(word)): \(text(stem)) for \(text(published)) or \(text(olderStem))")
        }
        #expect(words >= 4000)
        // The algorithm is the published one or that of libstemmer 2.2.0, not something between.
        let isOneOfTwo = newerCount == older.count || olderCount == older.count
        #expect(isOneOfTwo, "\(newerCount) and \(olderCount) of \(older.count)")
        print("stems of \(language): \(words) words, \(olderCount) older stems")
    }

    private func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    // MARK: Languages

    @Test("The installed libstemmer has every language", arguments: StemmerLanguage.allCases)
    func languageExists(_ language: StemmerLanguage) throws {
        _ = try Stemmer(language)
        let code = try #require(language == .porter ? "xx" : language.code)
        #expect(StemmerLanguage(code: code.uppercased()) == (language == .porter ? nil : language))
    }

    @Test("Invalid codes name no language, and Norwegian has a second one")
    func codes() {
        #expect(StemmerLanguage(code: "nb") == .norwegian)
        #expect(StemmerLanguage(code: "") == nil)
        #expect(StemmerLanguage(code: "zh") == nil)
        #expect(Set(StemmerLanguage.allCases.compactMap(\.code)).count == 28)
    }

    @Test(
        "An identity is a hash of the stems of all probes, whatever was stemmed before",
        arguments: StemmerLanguage.allCases)
    func identities(_ language: StemmerLanguage) throws {
        let stemmer = try Stemmer(language)
        func stem(_ word: Substring) -> [UInt8] {
            var stem: [UInt8] = []
            Array(word.utf8).withUnsafeBufferPointer { stemmer.stem($0, into: &stem) }
            return stem
        }
        let probes = StemmerProbes.words(language).split(separator: " ")
        for probe in probes.reversed() { _ = stem(probe) }
        // FNV-1a, each stem followed by a zero.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for probe in probes {
            for byte in stem(probe) + [0] {
                hash ^= UInt64(byte)
                hash &*= 1_099_511_628_211
            }
        }
        let digits = String(hash, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        #expect(language.identity == "\(language.rawValue) \(padded)")
        // No other language has the same stems.
        let others = StemmerLanguage.allCases.filter { $0 != language }
        #expect(!others.contains { $0.identity.hasSuffix(padded) })
    }

    @Test(
        "The probes hold words that changed between versions", arguments: StemmerFixture.languages)
    func probes(_ language: StemmerLanguage) throws {
        let older = try StemmerFixture.olderStems(language)
        let probes = StemmerProbes.words(language).split(separator: " ")
        #expect(probes.count >= 16)
        let changed = probes.count { older[Array($0.utf8)] != nil }
        #expect(changed >= min(older.count, 3))
    }

    // MARK: Words of texts

    @Test(
        "Words are stemmed with their diacritics, then folded",
        arguments: [
            (.english, "Connections", "connect"), (.english, "CONNECTED", "connect"),
            (.english, "dog’s", "dog"), (.english, "con\u{ad}nec\u{ad}tions", "connect"),
            (.german, "HÄUSER", "haus"), (.german, "Ha\u{308}user", "haus"),
            (.german, "Straßen", "strass"), (.french, "Continuité", "continu"),
            (.french, "continuite", "continuit"), (.spanish, "canciones", "cancion"),
            (.spanish, "canción", "cancion"), (.turkish, "ISTIRAPLAR", "istirap"),
            (.turkish, "ıstıraplar", "istirap"), (.turkish, "İSİMLER", "isim"),
            (.turkish, "I\u{307}SI\u{307}MLER", "isim"), (.turkish, "isimler", "isim"),
            (.greek, "ΑΝΘΡΩΠΟΣ", "ανθρωπ"), (.greek, "άνθρωπος", "ανθρωπ"),
            (.russian, "КНИГАМИ", "книг"), (.russian, "книга", "книг"),
            (.serbian, "činjenicama", "cinenic"), (.serbian, "чињеницама", "cinenic"),
            (.romanian, "emoții", "emot"), (.romanian, "emoţii", "emot"),
            (.finnish, "taloissa", "talo"), (.hindi, "लड़कियों", "लड़क"), (.arabic, "الكتاب", "كتاب"),
        ] as [(StemmerLanguage, String, String)])
    func words(_ language: StemmerLanguage, _ word: String, _ stem: String) throws {
        let result = try Stemmer(language).stem(word, folder: folder)
        #expect(result == folder.fold(stem), "\(word)")
    }

    @Test("An empty stem leaves the word")
    func emptyStem() throws {
        let greek = try Stemmer(.greek)
        #expect(greek.stem("ίδια", folder: folder) == folder.fold("ίδια"))
        #expect(try Stemmer(.porter).stem("s", folder: folder) == "s")
    }

    @Test("Canonically equal words have equal stems", arguments: StemmerFixture.languages)
    func canonicalForms(_ language: StemmerLanguage) throws {
        let stemmer = try Stemmer(language)
        var count = 0
        try StemmerFixture.forEachLine(language.rawValue) { word, _ in
            count += 1
            guard count % 16 == 0 else { return }
            let word = String(decoding: word, as: UTF8.self)
            let decomposed = word.decomposedStringWithCanonicalMapping
            #expect(
                stemmer.stem(decomposed, folder: folder) == stemmer.stem(word, folder: folder),
                "\(word)")
        }
    }

    @Test("Folded stems fold to themselves", arguments: StemmerLanguage.allCases)
    func stemsAreFolded(_ language: StemmerLanguage) throws {
        let stemmer = try Stemmer(language)
        for (seed, text) in AnalysisRandom.texts(count: 500) {
            let stem = stemmer.stem(text, folder: folder)
            #expect(folder.fold(stem) == stem, "seed \(seed)")
        }
    }

    // MARK: Anything else

    @Test(
        "Empty words, long words and bytes that are no text are stemmed without harm",
        arguments: StemmerLanguage.allCases)
    func anyBytes(_ language: StemmerLanguage) throws {
        let stemmer = try Stemmer(language)
        #expect(stem([], stemmer) == [])
        let long = [UInt8](repeating: 0x73, count: 10 << 20)
        #expect(stem(long, stemmer) == long)
        let limit = Stemmer.maximumWordLength
        #expect(stem(Array(long.prefix(limit + 1)), stemmer).count == limit + 1)
        _ = stem(Array(long.prefix(limit)), stemmer)
        for bad in [
            [0xff], [0x61, 0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80],
        ] {
            let word = [UInt8](repeating: 0x61, count: 8) + bad.map(UInt8.init)
            #expect(stem(word, stemmer) == word)
        }
        let zeros = stem([0, 0x61, 0, 0x73], stemmer)
        #expect(zeros.starts(with: [0, 0x61, 0]))
        // A stemmer is none the worse for any of that.
        let word = StemmerProbes.words(language).prefix { $0 != " " }
        #expect(stem(Array(word.utf8), stemmer) == stem(Array(word.utf8), try Stemmer(language)))
    }

    private func stem(_ word: [UInt8], _ stemmer: Stemmer) -> [UInt8] {
        var result: [UInt8] = [1, 2, 3]
        word.withUnsafeBufferPointer { stemmer.stem($0, into: &result) }
        return result
    }

    @Test("Words of empty, long or damaged texts, and of heaps of marks, are stemmed without harm")
    func anyText() throws {
        let stemmer = try Stemmer(.english)
        var folded = FoldedWord()
        for word in [
            [], [UInt8](repeating: 0x41, count: 10 << 20), [0xff, 0xfe], [0x61, 0, 0x62],
            Array(("a" + String(repeating: "\u{301}\u{323}", count: 1 << 20)).utf8),
        ] as [[UInt8]] {
            word.withUnsafeBufferPointer { stemmer.stem(word: $0, folder: folder, into: &folded) }
            #expect(folded.bytes.count <= TermTable.maximumTermLength)
        }
        let marked = "connection" + String(repeating: "\u{301}", count: 1000) + "s"
        #expect(stemmer.stem(marked, folder: folder) == "connection")
    }

    @Test("Stemmers in many tasks give the same stems")
    func concurrentStemmers() async throws {
        let languages: [StemmerLanguage] = [.english, .german, .turkish, .serbian, .tamil]
        let expected = try languages.map { try Self.stems($0) }
        try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for round in 0..<40 {
                let index = round % languages.count
                group.addTask { (index, try Self.stems(languages[index])) }
            }
            for try await (index, stems) in group { #expect(stems == expected[index]) }
        }
    }

    private static func stems(_ language: StemmerLanguage) throws -> [String] {
        let stemmer = try Stemmer(language)
        let words = StemmerProbes.words(language).split(separator: " ")
        return (0..<50).flatMap { _ in words.map { stemmer.stem(String($0), folder: Folder()) } }
    }
}

/// The vocabularies that lie beside the tests, packed.
enum StemmerFixture {
    /// The languages that have one: all but two.
    static let languages = StemmerLanguage.allCases.filter { $0 != .arabic && $0 != .tamil }

    /// The languages for which libstemmer 2.2.0 gives other stems than those published.
    private static let changed: Set<StemmerLanguage> = [
        .dutch, .english, .french, .german, .greek, .italian, .lithuanian, .norwegian, .romanian,
        .spanish, .swedish, .turkish, .yiddish,
    ]

    /// The words that libstemmer 2.2.0 stems otherwise than published, and its stems.
    static func olderStems(_ language: StemmerLanguage) throws -> [[UInt8]: [UInt8]] {
        guard changed.contains(language) else { return [:] }
        var stems: [[UInt8]: [UInt8]] = [:]
        try forEachLine("older/\(language)") { stems[Array($0)] = Array($1) }
        #expect(!stems.isEmpty)
        return stems
    }

    /// Calls `body` with the two columns of each line.
    static func forEachLine(
        _ name: String,
        _ body: (_ word: UnsafeBufferPointer<UInt8>, _ stem: UnsafeBufferPointer<UInt8>) -> Void
    ) throws {
        try unpacked(name).withUnsafeBytes { data in
            let bytes = data.bindMemory(to: UInt8.self)
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let tab = try #require(line.firstIndex(of: UInt8(ascii: "\t")))
                body(
                    UnsafeBufferPointer(rebasing: line[..<tab]),
                    UnsafeBufferPointer(rebasing: line[(tab + 1)...]))
            }
        }
    }

    private static func unpacked(_ name: String) throws -> Data {
        let folder = try #require(
            Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let path = folder.appending(path: "snowball/\(name).tsv.gz").path
        let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
        // Not by Foundation's `Process`: it may crash where many files are open.
        let pipe = try #require(popen("gzip -dc \(quoted)", "r"))
        let data = try FileHandle(fileDescriptor: fileno(pipe)).readToEnd()
        try #require(pclose(pipe) == 0, "\(name)")
        return data ?? Data()
    }
}
