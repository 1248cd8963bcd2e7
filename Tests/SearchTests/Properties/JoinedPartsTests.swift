import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Parts of joined words, and sorting by digits")
struct JoinedPartsTests {
    /// The parts, by the rule as it is written.
    private static func parts(of terms: [String]) -> Set<String> {
        func isSign(_ character: Character) -> Bool {
            character.isASCII && !character.isLetter && !character.isNumber
        }
        var found: Set<String> = []
        for term in terms where term.contains(where: isSign) {
            var parts = term.split(whereSeparator: isSign).map(String.init)
            if parts.last?.utf8.count ?? 0 > 1 { parts.append(parts.joined()) }
            found.formUnion(
                parts.filter { (4...48).contains($0.utf8.count) && !$0.contains(where: \.isNumber) }
            )
        }
        return found
    }

    @Test("They are what signs leave of terms", arguments: testSeeds(20))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["log", "txt", "value", "max", "naïve", "x", "s", "2024", "a1", "über", "Ω"]
        let terms = (0..<random.int(0...120)).map { _ in
            (0..<random.int(1...random.int(1...14))).map { _ in
                random.element(pieces) + random.element(["", "", ".", "_", "'", "-+"])
            }.joined()
        }.filter { $0.utf8.count <= TermTable.maximumTermLength }
        let wanted = Self.parts(of: terms)
        let found = JoinedParts { body in
            for term in terms { Array(term.utf8).withUnsafeBufferPointer(body) }
        }
        for part in wanted.union(terms) {
            #expect(
                found.contains(Array(part.utf8)) == wanted.contains(part), "seed \(seed): \(part)")
        }
        for word in wanted.sorted().prefix(10) {
            let typed = String(word.dropLast()) + "q"
            let matcher = FuzzyMatcher(typed, distance: 2)
            var near: [String: Int] = [:]
            found.forEach(near: matcher, work: { _ in }) {
                near[String(decoding: $0, as: UTF8.self)] = $1
            }
            for part in wanted {
                let edits = Array(part.utf8).withUnsafeBufferPointer { matcher.matches($0) } ?? 0
                #expect(near[part] ?? 0 == edits, "seed \(seed): \(typed), \(part)")
            }
        }
    }

    @Test("Elements with the same number stay in their order", arguments: testSeeds(20))
    func radixSort(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let most = random.int(1...random.element([3, 1_000, 1 << 20, 1 << 32]))
        let numbers = (0..<random.int(0...3_000)).map { place in
            SIMD2(UInt64(random.int(0...(most - 1))), UInt64(place))
        }
        var sorted = numbers
        RadixSort.sort(&sorted, bitCount: 32) { $0.x }
        let wanted = numbers.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        #expect(sorted == wanted, "seed \(seed)")
    }
}
