import Foundation
import Testing

@testable import TextIndexCommand

@Suite struct HeldRecordsTests {
    private func record(_ identifier: String, _ text: String) -> Record {
        Record(identifier: Data(identifier.utf8), strings: [text], origin: Origin(hash: ""))
    }

    @Test func theLastIsHeld() {
        var held = HeldRecords()
        held.hold(record("b", "one"))
        held.hold(record("a", "two"))
        held.hold(record("b", "three"))
        held.hold(record("c", "four"))
        held.drop(Data("c".utf8))
        held.drop(Data("d".utf8))
        #expect(held.takeAll().map(\.strings) == [["two"], ["three"]])
        #expect(held.takeAll().isEmpty)
    }

    @Test func memoryIsBounded() {
        var held = HeldRecords()
        let large = String(repeating: "x", count: HeldRecords.mostBytes / 2)
        for _ in 0..<5 { held.hold(record("a", large)) }
        #expect(!held.isFull)
        held.hold(record("b", large))
        #expect(held.isFull)
        held.drop(Data("b".utf8))
        #expect(!held.isFull)
    }

    @Test func placesAreNamed() {
        var met = MetIdentifiers()
        let (a, b) = (Data("a".utf8), Data("b".utf8))
        #expect(met.meet(a, line: nil) == nil)
        met.begin("one")
        #expect(met.meet(a, line: 7) == .init(place: "the file a", isWritten: false))
        met.write(a)
        #expect(met.meet(b, line: 8) == nil)
        met.begin("empty")
        met.begin("two")
        #expect(met.meet(b, line: 1) == .init(place: "one, line 8", isWritten: false))
        #expect(met.meet(a, line: 2) == .init(place: "one, line 7", isWritten: true))
        #expect(met.meet(a, line: 3) == .init(place: "line 2", isWritten: true))
        #expect(met.contains(a) && !met.contains(Data("c".utf8)))
    }
}
