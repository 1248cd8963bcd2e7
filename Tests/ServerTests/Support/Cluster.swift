import Foundation
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Nodes, and a server that searches them as one index.
struct Cluster: Sendable {
    let nodes: [RunningServer]
    let spread: RunningServer

    /// Starts a node for each group of shards, each with as many replicas as are wanted.
    static func start(
        _ shards: ShardedNotes, groups count: Int, replicas: Int = 1, isStrict: Bool = false,
        _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> Cluster {
        var nodes: [RunningServer] = []
        var groups: [SpreadSource.Group] = []
        for group in 0..<count {
            let numbers = ShardNumbers(
                (0..<shards.shards.count).filter { $0 % count == group })
            var addresses: [NodeAddress] = []
            for _ in 0..<replicas {
                let node = try await RunningServer.start {
                    try SearchServer(set: shards.source(numbers), options: $0)
                }
                nodes.append(node)
                addresses += [NodeAddress(node.address)].compactMap { $0 }
            }
            groups.append(.init(shards: numbers, nodes: addresses))
        }
        var source = try SpreadSource(groups) { shards.plan }
        source.isStrict = isStrict
        let made = source
        let spread = try await RunningServer.start(change) {
            try SearchServer(over: made, options: $0)
        }
        return Cluster(nodes: nodes, spread: spread)
    }

    func stop() async throws {
        try await spread.stop()
        for node in nodes { try await node.stop() }
    }
}
