import ArgumentParser
import Foundation
import TextIndexCommand
import TextIndexInterface
import TextIndexServer

/// `textindex serve`: answers searches over HTTP, and shows a search page.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answers searches over HTTP, with a search page.",
        discussion: """
            Serves an index, or what textindex publish made of one: then the index itself may be \
            changed meanwhile, and each new generation is noticed. Open the address that it prints \
            in a browser; /openapi.json there describes the JSON interface. It goes on until it is \
            interrupted. Other machines can connect with --host only, and need a token then.

            Of a set of shards it serves some or all of them (--shards) to other servers, and such \
            a server asks nodes for them (--set, --replica). These have the JSON interface alone, \
            without the page: a node with all shards, and a server that asks nodes, answer \
            /v1/search and /v1/facets.

            Examples:
              textindex serve --index /srv/notes
              textindex serve --index mail=/srv/mail --index notes=/srv/notes --port 9000
              textindex serve --index /srv/notes --host 0.0.0.0 --token-file token.txt
              textindex serve --index /srv/notes --following /srv/notes.sqlite
              textindex serve --index /srv/set --shards 0-19 --port 9001
              textindex serve --set /srv/set --replica 0-19=http://a:9001,http://b:9001
            """
    )

    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp(
            "The folder of an index (repeatable), with a name before it if you like.",
            valueName: "[name=]dir"), completion: .directory)
    var indexes: [String] = []

    @Option(
        help: ArgumentHelp(
            "Of a set of shards, those to serve to others, such as 0-19 (default: all).",
            valueName: "numbers"))
    var shards: ShardNumbers?

    @Option(
        help: ArgumentHelp(
            "The database that an index follows, where textindex follow had it elsewhere; the status says how far the index is behind (repeatable).",
            valueName: "[name=]file"), completion: .file())
    var following: [String] = []

    @OptionGroup var opening: OpeningOptions

    @Option(help: "The port to listen at; 0 for any that is free.")
    var port = 8080

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("host-name"),
        help: "A name that clients may call the server by (repeatable).")
    var hostNames: [String] = []

    @Option(
        help:
            "What clients must know, 16 characters or more; others may see it in lists of processes."
    )
    var token: String?

    @Option(help: "A file with the token on its first line.", completion: .file())
    var tokenFile: String?

    @Option(
        help: "A JSON file with query texts by name, which posted texts are matched against.",
        completion: .file())
    var queries: String?

    @Flag(
        help:
            "Let clients have the index remember what was chosen (textindex engage), and forget it; published indexes cannot."
    )
    var allowEngagement = false

    @Option(help: "How often to look for a new generation, in seconds.")
    var interval = 1.0

    @OptionGroup(title: "Many nodes") var nodes: NodeOptions

    @OptionGroup(title: "Limits") var limits: ServeLimits

    func validate() throws {
        if nodes.set == nil, indexes.isEmpty || indexes.contains("") {
            throw ValidationError("--index needs the name of a folder")
        }
        if nodes.set != nil, !indexes.isEmpty || shards != nil {
            throw ValidationError(
                "--set asks other servers for shards, without --index and --shards")
        }
        if !(0...65_535).contains(port) { throw ValidationError("--port must be from 0 to 65535") }
        if !(0.01...86_400).contains(interval) {
            throw ValidationError("--interval must be from 0.01 to 86400")
        }
        if token != nil, tokenFile != nil {
            throw ValidationError("give --token or --token-file, not both")
        }
    }

    func run() async throws {
        var options = ServerOptions()
        options.host = host
        options.port = port
        options.hostNames = hostNames
        options.interval = .seconds(interval)
        options.limits = limits.limits
        options.allowsEngagement = allowEngagement
        options.token = try bearerToken()
        guard options.isLoopback || options.token != nil else {
            throw CommandError(
                "--host \(host) lets other machines connect: give a --token-file too")
        }
        let server = try await makeServer(options)
        let interrupts = Interrupts { Task { await server.stop() } }
        defer { interrupts.stop() }
        let name = host.contains(":") ? "[\(host)]" : host
        do {
            try await server.run { port in
                try? Console.write("serving at http://\(name):\(port)/\n")
            }
        } catch {
            throw CommandError("cannot serve at \(name):\(port): \(error)")
        }
        try await server.close()
    }

    private func makeServer(_ options: ServerOptions) async throws -> SearchServer {
        var options = options
        if nodes.set != nil {
            guard !wantsOneIndex else {
                throw CommandError(
                    "--set takes no --following, --queries and --allow-engagement; nodes have the indexes"
                )
            }
            let source = try nodes.source()
            // Behind a proxy all people are one client.
            if limits.rate == nil { options.limits.rate = 0 }
            if limits.searches == nil {
                // They wait for nodes most of the time; each may hold an answer of every group, and
                // what is read of it.
                let held = 2 * source.groups.count * (options.limits.answerLength + 1 << 20)
                let most = ProcessMemory.limit / 2 / max(held, 1)
                options.limits.searches = min(64, max(most, 4))
            }
            return try SearchServer(over: source, options: options)
        }
        if indexes.contains(where: { isSetOfShards(Self.named($0).path) }) {
            let set = try setSource(&options)
            return try SearchServer(set: set, options: options)
        }
        guard shards == nil else {
            throw CommandError("--shards is for a set of shards, which \(indexes[0]) is not")
        }
        let location = IndexOption(path: indexes[0], opening: opening)
        let (sources, queries, made) = (try sources(), try storedQueries(), options)
        return try await IndexFolder.waiting(location) {
            try SearchServer(sources, storedQueries: queries, options: made)
        }
    }

    // MARK: Arguments

    /// Whether there are options that shards do not have.
    private var wantsOneIndex: Bool { !following.isEmpty || queries != nil || allowEngagement }

    /// The set that is served, and what its clients are held to: they are servers.
    private func setSource(_ options: inout ServerOptions) throws -> SetSource<Record> {
        guard indexes.count == 1, !wantsOneIndex else {
            throw CommandError(
                "a set of shards is served alone, without --following, --queries and --allow-engagement"
            )
        }
        if limits.rate == nil { options.limits.rate = 0 }
        // A search runs in so many shards at a time.
        let share = limits.searchMemory / max(ProcessInfo.processInfo.activeProcessorCount, 1)
        return try SetSource(
            path: Self.named(indexes[0]).path, shards: shards ?? .all, textLength: limits.maxText,
            searchMemory: min(limits.searchMemory, max(share, 16 << 20)),
            trustedOwners: opening.trustedOwners)
    }

    private func sources() throws -> [IndexSource<Record>] {
        var names: Set<String> = []
        var databases: [String: String] = [:]
        for argument in following {
            let (name, path) = Self.named(argument)
            guard databases.updateValue(path, forKey: name ?? "index") == nil else {
                throw CommandError(
                    "--following names two databases for one index; put the index's name before each"
                )
            }
        }
        let sources = try indexes.enumerated().map { number, argument in
            let (given, path) = Self.named(argument)
            let name = given ?? (number == 0 ? "index" : "index\(number + 1)")
            guard names.insert(name).inserted else {
                throw CommandError("two indexes are called \(name); give them names of their own")
            }
            return try IndexSource(
                name: name, path: path, textLength: limits.maxText,
                searchMemory: limits.searchMemory, cacheSize: ServeLimits.fitting.cacheSize,
                trustedOwners: opening.trustedOwners, following: databases.removeValue(forKey: name)
            )
        }
        if let name = databases.keys.min() {
            throw CommandError("--following names the index \(name), which is not served")
        }
        return sources
    }

    /// The name before a path, where there is one, and the path.
    private static func named(_ argument: String) -> (name: String?, path: String) {
        guard let sign = argument.firstIndex(of: "="),
            argument[..<sign].wholeMatch(of: /[A-Za-z0-9_-]+/) != nil
        else { return (nil, argument) }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }

    private func bearerToken() throws -> BearerToken? {
        let text: String
        if let tokenFile {
            let contents = try Self.read(tokenFile)
            text =
                contents.split(separator: "\n", maxSplits: 1).first.map {
                    $0.trimmingCharacters(in: .whitespaces)
                } ?? ""
        } else if let token {
            text = token
        } else {
            return nil
        }
        guard let token = BearerToken(text) else {
            throw CommandError(
                "a token has \(BearerToken.shortest) characters or more, printable ASCII without spaces"
            )
        }
        return token
    }

    private func storedQueries() throws -> [(name: String, query: String)] {
        guard let queries else { return [] }
        let contents = try Self.read(queries)
        guard
            let texts = try? JSONDecoder().decode([String: String].self, from: Data(contents.utf8))
        else { throw CommandError("\(queries) is no JSON object of query texts by name") }
        return texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func read(_ path: String) throws -> String {
        do {
            return try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw CommandError("\(path) cannot be read")
        }
    }
}
