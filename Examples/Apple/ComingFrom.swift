// Checked against declarations, never run: the code for Core Data of Documentation/ComingFrom.md.
import CoreData
import TextSearch

class NoteObject: NSManagedObject {
    var title = ""
    var isDraft = false
}

struct Note: Sendable {
    var title: String

    init(_ note: NoteObject) { title = note.title }
}

func comingFromCoreData(
    _ container: NSPersistentContainer, _ index: TextIndex<Note>
) throws -> IndexFollower<CoreDataSource<Note>> {
    // here
    let source = CoreDataSource<Note>(container, entity: "NoteObject") { object in
        guard let note = object as? NoteObject, !note.isDraft else { return nil }
        return Note(note)
    }
    index.indexer = { note, _ in IndexedObject(strings: [note.title]) }
    let follower = try IndexFollower(index, following: source)
    try follower.start()
    return follower
}
