import HTTPTypes
import TextIndexInterface

@testable import TextIndexServer

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
