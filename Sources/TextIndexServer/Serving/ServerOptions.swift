/// Where a server listens, whom it answers, and how much it does for them.
package struct ServerOptions: Sendable {
    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    package var port = 8080
    /// What clients have to know; nil where everybody is answered who can connect.
    package var token: BearerToken?
    /// Names that clients may call the server by, without a port, besides those of this machine. A
    /// server on a loopback address answers no others; one elsewhere answers all when there are
    /// none here.
    package var hostNames: [String] = []
    /// Whether clients may have it remember what people chose, and forget it: the only thing that
    /// they can change in an index.
    package var allowsEngagement = false
    /// How much it does.
    package var limits = ServerLimits()
    /// How often to look for a new generation.
    package var interval = Duration.seconds(1)

    /// The default options.
    package init() {}

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool { HostNames.isLoopback(host) }
}

/// How much a server does for its clients. What goes beyond is answered by a status that says so.
package struct ServerLimits: Sendable {
    /// Bytes of a request's body.
    package var bodyLength = 1 << 20
    /// Bytes of the hits in an answer.
    package var answerLength = 64 << 20
    /// Bytes of an object's text that are read to show a part of it; of an object with more, no
    /// text is shown.
    package var textLength = 16 << 20
    /// Bytes of memory that one search may hold, and as many again what is shown of its hits; see
    /// ``QueryLimits/memory``.
    package var searchMemory = 128 << 20
    /// Bytes that an index keeps of what was read; see ``TextIndexConfiguration/cacheSize``.
    package var cacheSize = 32 << 20
    /// Bytes of a request's path and query, and of its headers together.
    package var headerLength = 16 << 10
    /// Requests a second of one client, in the long run; twice as many at once. 0 for no limit.
    package var rate = 200.0
    /// Searches that run at a time.
    package var searches = 4
    /// Requests that wait for a search to end.
    package var waiting = 256
    /// The same of one client.
    package var clientWaiting = 64
    /// How long a request may take.
    package var time = Duration.seconds(10)
    /// Streams of events that are open at a time.
    package var streams = 100
    /// The same of one client.
    package var clientStreams = 32
    /// Connections that are open at a time.
    package var connections = 1024
    /// The same of one client.
    package var clientConnections = 256
    /// How long a connection may be open without a request that is complete but for its body.
    package var idleTime = Duration.seconds(60)
    /// How long, and for how many bytes more, the rest of a refused request is thrown away before
    /// its connection is closed: who is still sending when that happens may lose the answer.
    package var lingerTime = Duration.seconds(5)
    package var lingerLength = 16 << 20
    /// Results of a page.
    package var pageLength = 1000
    /// How far a page may reach.
    package var reach = 100_000
    /// Typing sessions, and how long one is kept that nobody types in.
    package var typingSessions = 256
    package var typingTime = Duration.seconds(300)
    /// Cursors, and how long one is kept.
    package var cursors = 64
    package var cursorTime = Duration.seconds(120)

    /// The default limits.
    package init() {}

    /// The default limits of a process that may take so much memory; with less than 2 GB, what a
    /// request holds is its share of what is left of that.
    ///
    /// A search at a time has an eighth of its share for what it looks for, as much for the places
    /// that are shown, as much for its answer, which grows by copies of itself, and a sixteenth for
    /// a text that is read.
    package init(memory: Int) {
        guard memory < 2 << 30 else { return }
        // Of the program and the stacks of its threads, of caches, and of requests that are read
        // and answers that are sent.
        let share = max(memory - 320 << 20, 32 << 20) / searches
        cacheSize = min(cacheSize, memory / 64)
        searchMemory = min(searchMemory, share / 8)
        answerLength = min(answerLength, share / 8)
        textLength = min(textLength, share / 16)
    }
}
