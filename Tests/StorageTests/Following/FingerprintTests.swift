import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// The bytes that say whether an object is the one that was indexed.
@Suite("Fingerprints of objects", .timeLimit(.minutes(10)))
struct FingerprintTests {
    private static func object(_ generator: inout SeededGenerator) -> IndexedObject {
        var object = IndexedObject(
            strings: (0..<generator.int(0...3)).map { _ in
                String(repeating: "é", count: generator.int(0...12))
                    + (0..<generator.int(0...20)).map { _ in "\(generator.int(0...9))" }.joined()
            })
        if generator.once(in: 2) { object.weight = Double(generator.int(-3...3)) }
        for name in ["a", "b", "c"] where generator.once(in: 3) {
            object.context[name] = .string("\(generator.int(0...2))")
        }
        for name in ["x", "y"] where generator.once(in: 3) {
            object.attributes[name] = .number(Double(generator.int(0...2)))
        }
        if generator.once(in: 4) { object.language = .german }
        return object
    }

    /// Everything that an object says of itself, written out.
    private static func text(_ object: IndexedObject) -> String {
        func sorted<Value>(_ values: [String: Value]) -> String {
            "\(values.sorted { $0.key < $1.key })"
        }
        return "\(object.strings)\(object.weight)\(sorted(object.context))"
            + "\(sorted(object.attributes))\(String(describing: object.language))"
    }

    @Test(
        "Two objects have one fingerprint exactly when they say the same", arguments: testSeeds(4))
    func pairs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var known: [UInt64: String] = [:]
        var texts: [String: UInt64] = [:]
        for _ in 0..<20_000 {
            let object = Self.object(&generator)
            let (fingerprint, text) = (ObjectRecord.fingerprint(of: object), Self.text(object))
            #expect(known[fingerprint] ?? text == text, "seed \(seed)")
            #expect(texts[text] ?? fingerprint == fingerprint, "seed \(seed)")
            known[fingerprint] = text
            texts[text] = fingerprint
        }
    }

    @Test("The fingerprint is stored: it never changes")
    func stored() {
        let object = IndexedObject(
            strings: ["The white whale", ""], weight: 1.5, context: ["a": .string("b")],
            attributes: ["year": .number(1851)], language: .english)
        #expect(ObjectRecord.fingerprint(of: object) == FingerprintTests.known)
        #expect(ObjectRecord.fingerprint(of: IndexedObject(strings: [])) == FingerprintTests.empty)
    }

    private static let known: UInt64 = 7_162_684_554_204_909_267
    private static let empty: UInt64 = 2_304_718_569_788_755_917

    /// The objects of the stored indexes as a database.
    private struct GoldenSource: ChangeSource {
        var objects: [Int: GoldenObject]
        var storeIdentifier: String { "golden" }

        func currentPosition() -> SourcePosition { SourcePosition(ordinal: 1) }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) -> ChangeSlice<GoldenObject> {
            ChangeSlice([], position: position, isLast: true)
        }

        private var sorted: [SourceObject<GoldenObject>] {
            objects.values.sorted { $0.number < $1.number }
                .map { SourceObject($0.identifier, $0) }
        }

        func objects(after identifier: Data?, limit: SliceLimit) -> ObjectSlice<GoldenObject> {
            ObjectSlice(sorted, next: nil)
        }

        func objects(withIdentifiers identifiers: [Data]) -> [SourceObject<GoldenObject>] {
            identifiers.map { identifier in
                SourceObject(identifier, sorted.first { $0.identifier == identifier }?.object)
            }
        }
    }

    @Test("Of an index that an earlier version made, objects are compared by their words")
    func oldRecords() async throws {
        let folder = try TemporaryFolder("fingerprints")
        try GoldenIndex.clean.copy(format: Manifest.format, to: folder("index"))
        let index = try GoldenIndex.open(at: folder("index"))
        var source = GoldenSource(objects: [:])
        for object in GoldenIndex.operations {
            source.objects[object.number] = object.version == 0 ? nil : object
        }
        // As if it had followed before.
        func follower(_ source: GoldenSource) throws -> IndexFollower<GoldenSource> {
            var options = FollowerOptions()
            options.polling = nil
            return try IndexFollower(index, following: source, options: options)
        }
        let state = FollowerState(
            storeIdentifier: "golden", version: 0, phase: .following,
            position: SourcePosition(ordinal: 1))
        try await index.apply([.mark(ClientState("follower default", state.encoded()))])
        let same = try await follower(source).drift()
        #expect(same.isEmpty)
        #expect(same.comparedCount == index.count)
        let changed = try #require(source.objects[5])
        source.objects[5] = GoldenObject(number: 5, version: changed.version + 1)
        source.objects[6] = nil
        source.objects[99] = GoldenObject(number: 99, version: 1)
        let drifted = try follower(source)
        let report = try await drifted.repairDrift()
        #expect(report.outdated == [changed.identifier])
        #expect(report.extra == [GoldenObject(number: 6, version: 1).identifier])
        #expect(report.missing == [GoldenObject(number: 99, version: 1).identifier])
        #expect(try await drifted.drift().isEmpty)
        try index.closeVerified()
    }
}
