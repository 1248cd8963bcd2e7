import ArgumentParser
import TextIndexServer

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

    @Option(
        help:
            "Requests a second of one client in the long run; 0 for no limit (default: \(Int(ServerLimits().rate)) of indexes; 0 of a set of shards, and with --set)."
    )
    var rate: Double?

    @Option(
        help:
            "Searches at a time (default: \(ServerLimits().searches); up to 64 with --set, which waits for nodes)."
    )
    var searches: Int?

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
        if let rate { limits.rate = rate }
        if let searches { limits.searches = searches }
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
            ("searches", searches ?? 1),
            ("streams", streams), ("connections", connections),
            ("client-streams", clientStreams), ("client-connections", clientConnections),
        ] where !(1...1 << 30).contains(value) {
            throw ValidationError("--\(name) must be from 1 to \(1 << 30)")
        }
        for (name, value) in [("waiting", waiting), ("client-waiting", clientWaiting)]
        where !(0...1 << 30).contains(value) {
            throw ValidationError("--\(name) must be from 0 to \(1 << 30)")
        }
        if let rate, !(0...1e9).contains(rate) {
            throw ValidationError("--rate must be from 0 to 1e9")
        }
        for (name, value) in [("time", time), ("idle", idle)]
        where !(0.01...86_400).contains(value) {
            throw ValidationError("--\(name) must be from 0.01 to 86400")
        }
    }
}
