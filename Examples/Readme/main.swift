import Foundation
import Synchronization
import TextSearch

struct Note: Sendable, Identifiable { var id, title, text: String, minutes: Double }
let notes = Mutex([
    "1": Note(id: "1", title: "Crème brûlée", text: "Torch the sugar.", minutes: 40),
    "2": Note(id: "2", title: "Peking duck", text: "Air-dry the duckling.", minutes: 90),
])
let folder = FileManager.default.temporaryDirectory.appending(path: "notes.textindex")
// Key paths say what identifies a note and what text it has; the closure gets a note back.
let index = try TextIndex(
    at: folder, text: [\Note.title, \.text], attributes: ["minutes": \.minutes]
) { id in notes.withLock { $0[id] } }

try await index.indexObjects(notes.withLock { Array($0.values) })  // index
for item in try index.search("brulee") {  // search and highlight
    print(try item.snippets().marked("[", "]"))  // Crème [brûlée]
}
notes.withLock { $0["2"]?.text = "Roast the duck." }  // edit
if let duck = notes.withLock({ $0["2"] }) { _ = try await index.updateIndex(for: duck).value() }
print(try index.search("duckling").count)  // 0
_ = try await index.removeIndex(forIdentifier: Data("1".utf8)).value()  // delete
print(try index.search("brulee").count)  // 0

// Ask in many ways: phrases, typing errors, wildcards, exclusions, fields, attributes.
print(try index.search("\"peking duck\" -goose").count)  // 1
print(try index.search("pekign~1 OR goose*").count)  // 1

// Search inside words. Each match has its exact range in the original text.
let hit = try index.searchResults(forKeyword: "ekin")[0]
print(hit.range(of: hit.resultTokens[0]))  // {1, 4}

// Search as you type. A session answers every keystroke and cancels stale searches.
print(try index.makeTypingSession().update("pek").count)  // 1
print(try index.suggestions(for: "pekng duk").corrections.map(\.text))  // ["peking duck"]

// Count by attribute: values, ranges, dates and paths over all hits.
let found = try index.search("duck", facets: [.histogram(of: "minutes", every: 60)])
print(found.facets[0].buckets.map(\.count))  // [1]

// Follow a query. A live query reports each change of its hits.
for try await change in index.liveResults(for: "duck") {
    print(change.inserted.count)  // 1
    break
}

// Check an index. It proves that its entries agree, and so do backups and repairs.
print(try index.verify().isClean)  // true
try index.close()
