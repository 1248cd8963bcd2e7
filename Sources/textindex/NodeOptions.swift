import ArgumentParser
import TextIndexCommand
import TextIndexInterface
import TextIndexServer

/// The nodes that ``ServeCommand`` searches as one index.
struct NodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Search the shards of this set on other servers: the file SET.json, or its folder.",
            valueName: "set"))
    var set: String?

    @Option(
        name: .customLong("replica"),
        help: ArgumentHelp(
            "Which servers have some shards, each of them all of these (repeatable).",
            valueName: "numbers=url,url"))
    var replicas: [ReplicaArgument] = []

    @Option(
        help: ArgumentHelp(
            "Milliseconds after which another replica is asked too; or usual, for what 95 of 100 requests take; or off (default: usual).",
            valueName: "time"))
    var hedge: HedgeArgument?

    @Flag(help: "Refuse a search when shards are missing, instead of searching the others.")
    var strict = false

    func validate() throws {
        if set == nil {
            if !replicas.isEmpty {
                throw ValidationError("--replica needs --set, the set that the servers have")
            }
            if hedge != nil || strict {
                throw ValidationError(
                    "\(strict ? "--strict" : "--hedge") needs --set, a set that other servers have")
            }
        }
        if set != nil, replicas.isEmpty {
            throw ValidationError("--set needs --replica, the servers that have its shards")
        }
    }

    /// - Throws: ``CommandError`` where there is no set, `TextIndexError` where shards lack a
    ///   server.
    func source() throws -> SpreadSource {
        let path = set ?? ""
        let groups = replicas.map { SpreadSource.Group(shards: $0.shards, nodes: $0.nodes) }
        var source = try SpreadSource(groups) { try SetPlan(path: path) }
        source.hedging = hedge?.choice ?? .usual
        source.isStrict = strict
        return source
    }
}

/// `0-19=http://a:9001,http://b:9001`.
struct ReplicaArgument: ExpressibleByArgument {
    let shards: ShardNumbers
    let nodes: [NodeAddress]

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="),
            let shards = ShardNumbers(argument: String(argument[..<sign]))
        else { return nil }
        let texts = argument[argument.index(after: sign)...].split(
            separator: ",", omittingEmptySubsequences: false)
        nodes = texts.compactMap { NodeAddress(String($0)) }
        guard nodes.count == texts.count, Set(nodes).count == nodes.count else { return nil }
        self.shards = shards
    }
}

/// `usual`, `off` or milliseconds.
struct HedgeArgument: ExpressibleByArgument {
    let choice: HedgeChoice

    init?(argument: String) {
        switch argument {
        case "usual": choice = .usual
        case "off": choice = .never
        default:
            guard let time = Double(argument), (0.1...1e6).contains(time) else { return nil }
            choice = .after(.microseconds(Int(time * 1000)))
        }
    }
}
