import HTTPTypes
import TextIndexInterface

/// The way to the shards of this process.
struct LocalNode<Object: Sendable>: NodeTransport {
    let service: ShardService<Object>
    /// Who asks.
    let client: String

    var name: String { "here" }

    func send(
        _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
    ) async throws -> NodeReply {
        let exchange = Exchange(
            method: body == nil ? .get : .post, path: path, query: "", headers: [:],
            client: client, body: body ?? [], deadline: deadline)
        let answer: Answer
        do {
            answer =
                switch path {
                case "/v1/shards": try await service.shards(exchange)
                case "/v1/shard/statistics": try await service.statistics(exchange)
                default: try await service.search(exchange)
                }
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            answer = Problem(error).answer
        }
        guard case .bytes(let bytes) = answer.body else { throw NodeFailure.malformed }
        return NodeReply(status: answer.status.code, body: bytes)
    }
}

extension ShardService {
    /// Searches all shards as one index, where all are here.
    func searchWhole(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let times = try deadline(&arguments, exchange)
        let request = try SpreadRequest(&arguments, limits)
        let set = sets.current
        guard set.shards.count == set.plan.names.count else { throw Problem.partOfSet }
        let here = Replica(LocalNode(service: self, client: exchange.client), .all)
        let alone = (statistics: Hedging(.never), search: Hedging(.never))
        do {
            let found = try await SpreadSearch(
                request: request, plan: set.plan, times: times, hedging: alone,
                groups: [.init(shards: set.shards.map(\.number), replicas: [here])],
                isLastAttempt: false
            ).found()
            return Answer(json: found.json(set.plan.names, set.plan.generation))
        } catch is SpreadSearch.Rolled {
            throw Problem.busy("The set is exchanged at the moment.")
        }
    }
}

extension Problem {
    static let partOfSet = Problem(
        .notImplemented, "part-of-set", "There are other shards",
        "This node has some shards of a set only; ask a server with --set, which asks all nodes.")
}
