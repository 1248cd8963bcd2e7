import Foundation
import Synchronization
import TextSearch

/// What the named operations work with: a generated corpus, an index of it, and queries drawn from
/// it.
final class Workbench: Sendable {
    let corpus: GeneratedCorpus
    let directory: URL
    private let opened: Mutex<TextIndex<Entry>>
    /// What a search that is measured looks for, one after the other.
    private let prepared = Mutex<[Query]>([])

    var queries: [Query] {
        get { prepared.withLock { $0 } }
        set { prepared.withLock { $0 = newValue } }
    }

    private let session = Mutex<TypingSession<Entry>?>(nil)
    private let faceted = Mutex<TextIndex<FacetedObject>?>(nil)

    var index: TextIndex<Entry> { opened.withLock { $0 } }

    /// Opens the index in `directory`, which is made and filled if it is not there.
    init(_ corpus: GeneratedCorpus, directory: URL) async throws {
        self.corpus = corpus
        self.directory = directory
        let index = try Entry.openIndex(at: directory, threads: 2)
        if index.count == 0 { try await index.indexObjects(corpus.entries) }
        await index.waitForMaintenance()
        try index.close()
        opened = Mutex(try Entry.openIndex(at: directory, threads: 2))
        await self.index.waitForMaintenance()
    }

    func reopen() throws {
        let index = try Entry.openIndex(at: directory, threads: 2)
        index.waitForMaintenance()
        opened.withLock { $0 = index }
    }

    /// Loads the corpus into an index of its own, which is closed and removed.
    func load(threads: Int) async throws {
        let other = directory.deletingLastPathComponent().appending(path: "loaded.textindex")
        try? TextIndex<Entry>.destroy(at: other)
        let index = try Entry.openIndex(at: other, threads: threads)
        await index.waitForMaintenance()
        try await index.indexObjects(corpus.entries)
        try index.close()
        try TextIndex<Entry>.destroy(at: other)
    }

    /// Indexes an object that has the first 200 words of another one's text.
    func changed(_ id: String, _ number: Int) async throws {
        let entry = corpus.entries[number % corpus.entries.count]
        let body = entry.body.split(separator: " ").prefix(200).joined(separator: " ")
        let object = Entry(id: id, title: entry.title, body: body)
        _ = try await index.indexObject(object).value()
    }

    /// A word between two ranks of frequency; another one for every number.
    func word(_ number: Int, from low: Int, to high: Int) -> String {
        var random = SplitMix64(state: UInt64(number))
        return corpus.vocabulary[low + random.next(below: high - low)]
    }

    /// Types one more letter of a word; the next number is the next letter, or another word.
    func type(_ number: Int) throws {
        let typing = session.withLock { session in
            let typing = session ?? index.makeTypingSession(Self.typingOptions)
            session = typing
            return typing
        }
        let word = word(number / 8, from: 10, to: 20_000)
        _ = try typing.update(String(word.prefix(number % 8 + 1)))
    }

    private static var typingOptions: TypingOptions {
        var options = TypingOptions()
        options.limit = 10
        return options
    }

    /// Words of middling frequency and frequent ones.
    func words(_ number: Int, _ count: Int) -> [String] {
        (0..<count).map { word(number &* 31 &+ $0, from: $0 % 2 == 0 ? 100 : 10, to: 2000) }
    }

    /// Different words of the most frequent ones, whose lists are long.
    func frequent(_ number: Int, _ count: Int) -> [String] {
        let share = 100 / count
        return (0..<count).map {
            word(number &* 31 &+ $0, from: $0 * share, to: ($0 + 1) * share)
        }
    }

    /// Two words from the text, as they stand there.
    func phrase(_ number: Int) -> [String] {
        let entry = corpus.entries[number &* 101 % corpus.entries.count]
        return entry.body.split(separator: " ").dropFirst(5).prefix(2).map(String.init)
    }

    /// Three letters of a word.
    func piece(_ number: Int, fromStart: Bool) -> String {
        var rank = number
        while true {
            let word = word(rank, from: 300, to: 12_000)
            if word.count > 5 {
                return String(fromStart ? word.prefix(3) : word.dropFirst().prefix(3))
            }
            rank += 10_007
        }
    }
}

extension Workbench {
    /// Opens an index of a million objects with attributes, which is made where it is not there.
    func prepareFacets() async throws {
        guard faceted.withLock({ $0 == nil }) else { return }
        let place = directory.deletingLastPathComponent().appending(path: "facets.textindex")
        let index = try await FacetedObject.openIndex(at: place)
        faceted.withLock { $0 = index }
    }

    /// Counts all objects of that index that have a word which all of them have.
    func count(_ facets: [Facet]) throws {
        guard let index = faceted.withLock({ $0 }) else { return }
        let found = try index.search(.term("object"), limit: 10, facets: facets)
        guard found.totalCount.value == FacetedObject.count, found.isComplete else {
            throw CocoaError(.coderInvalidValue)
        }
    }

    /// The best ten of that index, with facets where some are asked for.
    func filtered(_ query: Query, _ ranking: Ranking = .relevance, _ facets: [Facet] = []) throws {
        guard let index = faceted.withLock({ $0 }) else { return }
        let found =
            facets.isEmpty
            ? try index.search(query, limit: 10, ranking: ranking)
            : try index.search(query, limit: 10, ranking: ranking, facets: facets)
        guard found.items.count == 10, found.isComplete else {
            throw CocoaError(.coderInvalidValue)
        }
    }
}
