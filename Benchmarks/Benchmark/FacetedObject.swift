import Foundation
import TextSearch

/// One of a million short objects with attributes to count by; all of it follows from its number.
struct FacetedObject: Sendable {
    static let count = 1_000_000
    /// A string of fifty, some frequent and most rare; a number of a hundred thousand in ranges;
    /// groups by one of five thousand.
    static let facets: [Facet] = [
        .values(of: "brand"), .histogram(of: "price", every: 100),
        .values(of: "shop", limit: 10, order: .bestHit, topHits: 3),
    ]

    var number: Int

    var indexed: IndexedObject {
        var random = SplitMix64(state: UInt64(number))
        // The smaller of two: lower numbers are more frequent.
        let brand = min(random.next(below: 50), random.next(below: 50))
        let words = (0..<(2 + random.next(below: 6))).map { _ in
            "word\(random.next(below: 20_000))"
        }
        return IndexedObject(
            strings: ["object " + words.joined(separator: " ")],
            attributes: [
                "brand": .string("brand \(brand)"),
                "price": .number(Double(random.next(below: 100_000)) / 50),
                "shop": .string("shop number \(random.next(below: 5000))"),
            ])
    }

    /// Opens the index at a place, which is made and filled if it is not there.
    static func openIndex(at directory: URL) async throws -> TextIndex<FacetedObject> {
        let index = try TextIndex<FacetedObject>(at: directory)
        index.identifier = { object in Data("\(object.number)".utf8) }
        index.indexer = { object, _ in object.indexed }
        if index.count < count {
            try await index.indexObjects((0..<count).lazy.map { FacetedObject(number: $0) })
            try await index.optimize()
        }
        return index
    }
}
