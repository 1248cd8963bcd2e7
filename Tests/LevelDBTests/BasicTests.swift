import Foundation
import LevelDB
import Testing

@Suite struct BasicTests {
    @Test func writesAndReads() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(at: directory.path("db"), mode: .create)
        let batch = WriteBatch()
        batch.put(bytes("a"), bytes("1"))
        batch.put(bytes("b"), bytes("2"))
        batch.delete(bytes("a"))
        batch.put([], bytes("of the empty key"))
        batch.put(bytes("empty value"), [])
        #expect(batch.count == 5)
        #expect(batch.byteCount > 12)
        try database.write(batch, sync: true)
        #expect(try database.text("a") == nil)
        #expect(try database.text("b") == "2")
        #expect(try database.text("") == "of the empty key")
        #expect(try database.text("empty value")?.isEmpty == true)
        batch.clear()
        #expect(batch.count == 0)
        try database.close()
        let again = try Database(at: directory.path("db"), mode: .open)
        #expect(try again.text("b") == "2")
        #expect(try again.contents().count == 3)
    }
}
