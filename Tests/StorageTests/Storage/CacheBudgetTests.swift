import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Memory that several indexes share")
struct CacheBudgetTests {
    @Test("A cache gives back what is beyond its share once there are more")
    func shares() {
        let budget = CacheBudget(byteCount: 1 << 20)
        budget.join()
        let cache = RecentCache<Int, Int>(byteCount: 1 << 20, budget: budget)
        for key in 0..<1_000 { cache.insert(key, for: key, byteCount: 1_000) }
        #expect((0..<1_000).count { cache.value(for: $0) != nil } > 900)
        for _ in 0..<15 { budget.join() }
        cache.insert(0, for: 2_000, byteCount: 1_000)
        #expect(cache.value(for: 2_000) != nil)
        #expect((0..<1_000).count { cache.value(for: $0) != nil } <= 1 << 16 / 1_000)
        // What is as large as all that there is now is not kept.
        for _ in 0..<10_000 { budget.join() }
        cache.insert(0, for: 3_000, byteCount: 1_000)
        #expect(cache.value(for: 3_000) == nil)
    }

    @Test("Indexes with a common budget find what each of them has, also once others closed")
    func indexes() async throws {
        let budget = CacheBudget(byteCount: 1 << 20)
        var configuration = TextIndexConfiguration()
        configuration.cacheBudget = budget
        let indexes = try (0..<4).map { _ in
            let index = try TextIndex<Int>(
                at: temporaryDirectory("budget"), configuration: configuration)
            index.identifier = { Data("\($0)".utf8) }
            index.indexer = { number, _ in IndexedObject(strings: ["duck number\(number)"]) }
            return index
        }
        defer {
            for index in indexes { try? FileManager.default.removeItem(at: index.directory) }
        }
        #expect(budget.memberCount == 4)
        for (number, index) in indexes.enumerated() {
            try await index.indexObjects((0..<300).map { $0 * 4 + number })
            try await index.flush()
        }
        for (number, index) in indexes.enumerated() {
            try check(index, number)
        }
    }

    private func check(_ index: TextIndex<Int>, _ number: Int) throws {
        #expect(try index.search("number\(number + 4)").count >= 1)
        #expect(try index.search("duck", limit: 300).count == 300)
        try index.closeVerified()
    }
}
