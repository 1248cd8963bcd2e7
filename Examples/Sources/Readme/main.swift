import Foundation
import TextSearch

struct Note: Sendable { var id, title, text: String }
let notes = [
    Note(id: "1", title: "Crème brûlée", text: "Torch the sugar until it crackles."),
    Note(id: "2", title: "Peking duck", text: "Air-dry the duckling; glaze with maltose."),
]
let directory = FileManager.default.temporaryDirectory.appending(path: "notes.textindex")
let index = try TextIndex<Note>(at: directory)
index.identifier = { note in Data(note.id.utf8) }
index.indexer = { note, _ in IndexedObject(strings: [note.title, note.text]) }
index.objectGetter = { identifier in notes.first { Data($0.id.utf8) == identifier } }
try await index.indexObjects(notes)

for item in try index.searchResults(forKeyword: "rule") {  // inside words
    guard let note = item.object, let token = item.resultTokens.first else { continue }
    let text = token.string == 0 ? note.title : note.text
    print(note.title, item.range(of: token, in: text).map { text[$0] } ?? "")  // Crème brûlée rûlé
}
try index.close()
