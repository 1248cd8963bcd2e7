import Foundation
import Testing

/// Tests of the command over sets of few objects.
protocol SmallSet {
    var command: Command { get }
}

extension SmallSet {
    /// Objects as lines of JSON.
    static func lines(_ numbers: some Sequence<Int>, word: String = "duck") -> String {
        numbers.map { "{\"id\":\"n\($0)\",\"title\":\"\(word)\",\"body\":\"whale \($0)\"}\n" }
            .joined()
    }

    /// Runs the command, and expects how it ends.
    @discardableResult
    func run(
        _ arguments: String..., input: String = "", status: Int32 = 0
    ) async throws -> Command.Result {
        let result = try await command.run(arguments, input: Data(input.utf8))
        #expect(result.status == status, "\(arguments): \(result.error)\(result.output)")
        return result
    }

    /// Makes a set of two shards with forty objects, from an index called `whole`.
    func makeSet(_ options: [String] = []) async throws {
        try await run("index", "-", "--index", "whole", input: Self.lines(0..<40))
        try await run("split", "whole", "--of", "2", "--output", "parts")
        for number in 0..<2 {
            let added = try await command.run(
                [
                    "set", "add", "set", "--shard", "\(number)", "--of", "2", "--index",
                    "parts/shard-0000\(number)-of-00002",
                ] + options)
            #expect(added.status == 0 && added.error.isEmpty, "\(added.error)")
        }
        try await run("set", "commit", "set")
    }
}
