import Foundation
import Synchronization
import TextSearch
struct Note: Sendable, Identifiable { var id, title, text: String, minutes: Double }
let notes = Mutex([
    "1": Note(id: "1", title: "Crème brûlée", text: "Torch the sugar.", minutes: 40),
    "2": Note(id: "2", title: "Peking duck", text: "Air-dry the duckling.", minutes: 90),
])
let folder = FileManager.default.temporaryDirectory.appending(path: "notes.textindex")
let index = try TextIndex(
    at: folder, text: [\Note.title, \.text], attributes: ["minutes": \.minutes]
) { id in notes.withLock { $0[id] } }  // gets a note back
try await index.indexObjects(notes.withLock { Array($0.values) })  // index
for item in try index.search("brulee") { print(try item.snippets().marked("[", "]")) }  // Crème [brûlée]
notes.withLock { $0["2"]?.text = "Roast the duck." }  // edit
if let duck = notes.withLock({ $0["2"] }) { _ = try await index.updateIndex(for: duck).value() }
print(try index.search("duckling").count)  // 0
_ = try await index.removeIndex(forIdentifier: Data("1".utf8)).value()  // delete

// Ask in many ways: phrases, typing errors, wildcards, exclusions, fields, attributes.
print(try index.search("\"peking duck\" -goose OR pekign~1").count)  // 1
// Search inside words. Each match has its exact range in the original text.
let hit = try index.searchResults(forKeyword: "ekin")[0]
print(hit.range(of: hit.resultTokens[0]))  // {1, 4}
// Search as you type. A session answers every keystroke and cancels stale searches.
print(try index.makeTypingSession().update("pek").count)  // 1
// Count by attribute: values, ranges, dates and paths over all hits.
let found = try index.search("duck", facets: [.histogram(of: "minutes", every: 60)])
print(found.facets[0].buckets.map(\.count))  // [1]
// Check an index. It proves that its entries agree, and so do backups and repairs.
print(try index.verify().isClean)  // true
try index.close()
