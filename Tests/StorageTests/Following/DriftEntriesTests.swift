import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What a comparison of an index with its database keeps of each object, beside a dictionary.
@Suite("Entries of a comparison with a database", .timeLimit(.minutes(10)))
struct DriftEntriesTests {
    @Test(
        "Identifiers of all lengths are met once, and those that were not stay in their order",
        arguments: testSeeds(8))
    func equalsADictionary(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func identifier(_ generator: inout SeededGenerator) -> Data {
            Data((0..<generator.int(1...20)).map { _ in UInt8(generator.int(0...1)) })
        }
        let most = generator.int(0...300)
        var entries = DriftEntries(most: most)
        var known: [Data: UInt32] = [:]
        var order: [Data] = []
        while known.count < most {
            let new = identifier(&generator)
            let document = UInt32(order.count)
            let entry = DriftEntries.Entry(
                document: document, fingerprint: document % 3 == 0 ? nil : UInt64(document))
            #expect(entries.insert(new, entry) == (known[new] == nil), "seed \(seed)")
            if known[new] == nil {
                known[new] = document
                order.append(new)
            }
        }
        #expect(entries.count == most, "seed \(seed)")
        var met: Set<Data> = []
        for _ in 0..<(2 * most) {
            let sought = identifier(&generator)
            #expect(entries.contains(sought) == (known[sought] != nil), "seed \(seed)")
            let expected = met.contains(sought) ? nil : known[sought]
            let found = entries.meet(sought)
            #expect(found?.document == expected, "seed \(seed)")
            if let found, found.document % 3 != 0 {
                #expect(found.fingerprint == UInt64(found.document), "seed \(seed)")
            }
            met.insert(sought)
        }
        #expect(entries.unmet() == order.filter { !met.contains($0) }, "seed \(seed)")
    }
}
