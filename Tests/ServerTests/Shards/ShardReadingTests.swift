import Foundation
import HTTPTypes
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Requests of other servers are read once, as long as they are known.
@Suite(.timeLimit(.minutes(10))) struct ShardReadingTests {
    private func key(_ number: Int, generation: String = "g", length: Int = 10)
        -> ShardReadings.Key
    {
        .init(
            generation: generation, shards: "0",
            asked: [UInt8](repeating: 1, count: length) + withUnsafeBytes(of: number) { Array($0) })
    }

    /// With a limit by which it is known again.
    private func reading(_ number: Int) throws -> ShardReading {
        var arguments = try Arguments(query: "q=duck&limit=\(number)")
        return try ShardReading(&arguments, [ServedShard<Note>](), ServerLimits())
    }

    @Test func neverMoreThanItMayHold() throws {
        let readings = ShardReadings(most: 20)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let number = Int.random(in: 0..<60, using: &generator)
            let found = try readings.reading(of: key(number)) { try reading(number) }
            #expect(found.limit == number)
            #expect(readings.count <= 20)
        }
    }

    @Test func whatIsUsedIsReadOnce() throws {
        let readings = ShardReadings(most: 20)
        var count = 0
        for number in 1..<500 {
            _ = try readings.reading(of: key(0)) {
                count += 1
                return try reading(0)
            }
            _ = try readings.reading(of: key(number)) { try reading(number) }
        }
        #expect(count == 1)
        // Of another set it is another reading.
        let other = try readings.reading(of: key(0, generation: "h")) { try reading(7) }
        #expect(other.limit == 7)
    }

    @Test func whatIsLongOrWrongIsNotKept() throws {
        let readings = ShardReadings(most: 20)
        _ = try readings.reading(of: key(0, length: 1_000)) { try reading(0) }
        #expect(readings.count == 0)
        #expect(throws: Problem.self) {
            try readings.reading(of: key(1)) { throw Problem.notSpread("learned") }
        }
        #expect(readings.count == 0)
    }

    /// Both phases, of one client or of many, have one reading; what is shown makes no other.
    @Test func bothPhasesAreReadOnce() async throws {
        var generator = SeededGenerator(seed: 3)
        let notes = (0..<60).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            let service = try ShardService(shards.source(), ServerOptions())
            let plan = shards.plan
            let spread = try SpreadService(
                [
                    ReplicaGroup(
                        numbers: .all,
                        replicas: [Replica(LocalNode(service: service, client: "test"), .all)])
                ], newest: { plan }, hedging: .never, isStrict: false, ServerOptions())
            await spread.begin()
            func ask(_ query: String) async throws -> JSON {
                let answer = try await spread.search(
                    Exchange(
                        method: .get, path: "/v1/search", query: Substring(query), headers: [:],
                        client: "test", deadline: .now + .seconds(60)))
                guard case .bytes(let bytes) = answer.body else { return .null }
                return try JSONReader.value(of: bytes)
            }
            let first = try await ask("q=pekng+duck&limit=60&snippets=0")
            #expect(service.readings.count == 1)
            let second = try await ask("q=pekng+duck&limit=60&snippets=0")
            #expect(second.bytes == first.bytes)
            _ = try await ask("q=pekng+duck&limit=60&snippets=1")
            #expect(service.readings.count == 1)
            _ = try await ask("q=pekng+duck&limit=59")
            _ = try await ask("q=pekng+duck&limit=60&facet=minutes")
            #expect(service.readings.count == 3)
        }
    }
}
