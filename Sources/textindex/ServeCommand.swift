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

            Examples:
              textindex serve --index /srv/notes
              textindex serve --index mail=/srv/mail --index notes=/srv/notes --port 9000
              textindex serve --index /srv/notes --host 0.0.0.0 --token-file token.txt
              textindex serve --index /srv/notes --following /srv/notes.sqlite
            """
    )

    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp(
            "The folder of an index (repeatable), with a name before it if you like.",
            valueName: "[name=]dir"), completion: .directory)
    var indexes: [String]

    @Option(
        help: ArgumentHelp(
            "The database that an index follows, where textindex follow had it elsewhere; the status says how far the index is behind (repeatable).",
            valueName: "[name=]file"), completion: .file())
    var following: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long to wait while another process has the index open.", valueName: "seconds"))
    var wait = 5.0

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

    @OptionGroup(title: "Limits") var limits: ServeLimits

    func validate() throws {
        if indexes.isEmpty || indexes.contains("") {
            throw ValidationError("--index needs the name of a folder")
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
        var location = IndexOption()
        location.wait = wait
        location.path = indexes[0]
        let (sources, queries, made) = (try sources(), try storedQueries(), options)
        let server = try await IndexFolder.waiting(location) {
            try SearchServer(sources, storedQueries: queries, options: made)
        }
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

    // MARK: Arguments

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
                following: databases.removeValue(forKey: name))
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

/// The limits of ``ServeCommand``.
struct ServeLimits: ParsableArguments {
    /// Those of the memory that there is.
    static let fitting = ServerLimits(memory: ProcessMemory.limit)

    @Option(help: "Bytes that a request's body may have.")
    var maxBody = ServerLimits().bodyLength

    @Option(help: "Bytes that the hits of an answer may have.")
    var maxAnswer = ServeLimits.fitting.answerLength

    @Option(help: "Bytes of an object's text that are read to show a part of it.")
    var maxText = ServeLimits.fitting.textLength

    @Option(help: "Bytes that a search may hold, and as many for the places that it shows.")
    var searchMemory = ServeLimits.fitting.searchMemory

    @Option(help: "Bytes that a request's path and headers may have.")
    var maxHeader = ServerLimits().headerLength

    @Option(help: "Requests a second of one client in the long run; 0 for no limit.")
    var rate = ServerLimits().rate

    @Option(help: "Searches at a time.")
    var searches = ServerLimits().searches

    @Option(help: "Requests that may wait for their turn.")
    var waiting = ServerLimits().waiting

    @Option(help: "Requests of one client that may wait for their turn.")
    var clientWaiting = ServerLimits().clientWaiting

    @Option(help: "Seconds that a request may take.")
    var time = ServerLimits().time / .seconds(1)

    @Option(help: "Streams of changes at a time.")
    var streams = ServerLimits().streams

    @Option(help: "Streams of one client at a time.")
    var clientStreams = ServerLimits().clientStreams

    @Option(help: "Connections at a time.")
    var connections = ServerLimits().connections

    @Option(help: "Connections of one client at a time.")
    var clientConnections = ServerLimits().clientConnections

    @Option(help: "Seconds that a connection may be open without a request.")
    var idle = ServerLimits().idleTime / .seconds(1)

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.bodyLength = maxBody
        limits.answerLength = maxAnswer
        limits.textLength = maxText
        limits.searchMemory = searchMemory
        limits.headerLength = maxHeader
        limits.rate = rate
        limits.searches = searches
        limits.waiting = waiting
        limits.time = .seconds(time)
        limits.streams = streams
        limits.connections = connections
        limits.clientWaiting = clientWaiting
        limits.clientStreams = clientStreams
        limits.clientConnections = clientConnections
        limits.idleTime = .seconds(idle)
        return limits
    }

    func validate() throws {
        for (name, value) in [
            ("max-body", maxBody), ("max-answer", maxAnswer), ("max-header", maxHeader),
            ("max-text", maxText), ("search-memory", searchMemory),
            ("searches", searches),
            ("streams", streams), ("connections", connections),
            ("client-streams", clientStreams), ("client-connections", clientConnections),
        ] where !(1...1 << 30).contains(value) {
            throw ValidationError("--\(name) must be from 1 to \(1 << 30)")
        }
        for (name, value) in [("waiting", waiting), ("client-waiting", clientWaiting)]
        where !(0...1 << 30).contains(value) {
            throw ValidationError("--\(name) must be from 0 to \(1 << 30)")
        }
        if !(0...1e9).contains(rate) { throw ValidationError("--rate must be from 0 to 1e9") }
        for (name, value) in [("time", time), ("idle", idle)]
        where !(0.01...86_400).contains(value) {
            throw ValidationError("--\(name) must be from 0.01 to 86400")
        }
    }
}
