import Foundation
import HTTPTypes
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Answers that are none, or those of other settings or versions.
extension SpreadFaultTests {
    /// Nodes of other settings are not searched as one.
    @Test func mixedAnalyses() async throws {
        try await ShardedNotes.use(Note.random(count: 20, seed: 10), shards: 2) { shards in
            let other = Faulty(
                inner: try local(shards, ShardNumbers([1])), before: { _ in },
                after: { path, reply in
                    guard path == "/v1/shard/statistics" else { return reply }
                    let changed = StatisticsReply(reply.body).flatMap { told in
                        try? JSONEncoder().encode(told.statistics)
                    }.map { json in
                        String(decoding: json, as: UTF8.self).replacing(
                            /"analysis":"[0-9a-f]*"/, with: "\"analysis\":\"0\"")
                    }.flatMap { json in
                        try? JSONDecoder().decode(QueryStatistics.self, from: Data(json.utf8))
                    }
                    return NodeReply(
                        status: 200, body: changed.map { StatisticsReply.bytes($0) } ?? [])
                })
            let plan = shards.plan
            let service = try await spread([
                (ShardNumbers([0]), [try local(shards, ShardNumbers([0]))]),
                (ShardNumbers([1]), [other]),
            ]) { plan }
            let refusal = await problem { try await service.search(exchange("q=duck")) }
            #expect(refusal?.code == "configuration-mismatch")
        }
    }

    /// One replica answers what is no answer, or that the question is wrong without saying how: the
    /// other one is asked, and the answer is whole.
    @Test(arguments: [200, 400]) func whatCannotBeReadIsAskedElsewhere(status: Int) async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 13), shards: 1) { shards in
            let damaged = Faulty(
                inner: try local(shards, .all), before: { _ in },
                after: { _, _ in NodeReply(status: status, body: Array("{".utf8)) })
            let good = Faulty(inner: try local(shards, .all), before: { _ in })
            let plan = shards.plan
            let alone = try await spread([(.all, [good])]) { plan }
            let both = try await spread([(.all, [damaged, good])]) { plan }
            for _ in 0..<4 {
                let wanted = try json(try await alone.search(exchange("q=duck&snippets=0")))
                let found = try json(try await both.search(exchange("q=duck&snippets=0")))
                #expect(ids(found) == ids(wanted))
                #expect(found["isComplete"]?.isTrue == true)
            }
        }
    }

    /// A node of another version says so, or answers in its own form: the next replica is asked.
    @Test(arguments: [415, 200]) func anotherVersionIsPassedOver(status: Int) async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 14), shards: 1) { shards in
            let asked = Mutex(0)
            let other = Faulty(
                inner: try local(shards, .all), before: { _ in asked.withLock { $0 += 1 } },
                after: { _, reply in
                    guard status == 200 else {
                        return NodeReply(status: status, body: Array("{}".utf8))
                    }
                    var body = reply.body
                    // Behind the mark of the form.
                    body[1] += 1
                    return NodeReply(status: status, body: body)
                })
            let plan = shards.plan
            let both = try await spread([(.all, [other, try local(shards, .all)])]) { plan }
            let expected = try await shards.whole.search("duck", limit: 40).items
            // The replicas take turns.
            for _ in 0..<4 {
                let found = try json(
                    try await both.search(
                        exchange("q=duck&limit=40&snippets=0&facet=cuisine")))
                #expect(ids(found) == expected.map(\.name))
                #expect(found["isComplete"]?.isTrue == true)
                #expect(found["facets"]?.elements.count == 1)
            }
            #expect(asked.withLock { $0 } > 0)
            let failures = both.plan.groups[0].replicas.map(\.current.failures)
            #expect(failures[0] > 0)
            #expect(failures[1] == 0)
            let alone = try await spread([(.all, [other])]) { plan }
            let refusal = await problem { try await alone.search(exchange("q=duck&snippets=0")) }
            // What says its version is left out; what cannot be read may be anything.
            #expect(refusal?.status == (status == 415 ? .serviceUnavailable : .badGateway))
            #expect(refusal?.code == (status == 415 ? "shards-missing" : "node-failure"))
        }
    }

    /// A node that names another version with its shards, or none, is not asked at all.
    @Test(arguments: ["\"messages\":\(ShardMessage.version + 1)", "\"massages\":1"])
    func anotherVersionIsLeftOut(named: String) async throws {
        let own = "\"messages\":\(ShardMessage.version)"
        try await ShardedNotes.use(Note.random(count: 30, seed: 15), shards: 2) { shards in
            let other = Faulty(
                inner: try local(shards, .all), before: { _ in Issue.record("It was asked.") },
                offers: { reply in
                    let text = String(decoding: reply.body, as: UTF8.self)
                    #expect(text.contains(own))
                    return NodeReply(
                        status: reply.status,
                        body: Array(text.replacing(own, with: named).utf8))
                })
            let plan = shards.plan
            let first = ShardNumbers([0])
            let second = ShardNumbers([1])
            let service = try await spread([
                (first, [try local(shards, first)]), (second, [other]),
            ]) { plan }
            let found = try json(try await service.search(exchange("q=duck&snippets=0")))
            #expect(found["isComplete"]?.isTrue == false)
            #expect(found["missing"]?.elements.count == 1)
            let failure = service.plan.groups[1].replicas[0].current.failure?.description
            #expect(failure?.contains("version") == true)
        }
    }

    /// What a node answers is cut short or changed: an answer, or a problem, and never a crash.
    @Test func answersThatAreDamaged() async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 11), shards: 1) { shards in
            let generator = Mutex(SeededGenerator(seed: 12))
            let damaged = Faulty(
                inner: try local(shards, .all), before: { _ in },
                after: { _, reply in
                    var body = reply.body
                    generator.withLock { generator in
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0:
                            body = Array(
                                body.prefix(Int.random(in: 0...body.count, using: &generator)))
                        case 1, 2:
                            for _ in 0..<3 where !body.isEmpty {
                                body[Int.random(in: 0..<body.count, using: &generator)] =
                                    UInt8.random(in: 32...126, using: &generator)
                            }
                        default: break
                        }
                    }
                    return NodeReply(status: reply.status, body: body)
                })
            let plan = shards.plan
            let service = try await spread([(.all, [damaged])]) { plan }
            var codes: Set<String> = []
            for _ in 0..<300 {
                let problem = await problem {
                    try await service.search(exchange("q=duck&snippets=0&facet=minutes"))
                }
                if let problem {
                    codes.insert(problem.code)
                    #expect(problem.status != .internalServerError)
                }
            }
            #expect(codes.contains("node-failure"))
        }
    }
}
