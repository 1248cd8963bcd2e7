#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// How many of something are open, in all and for each client.
///
/// **Thread safety**: guarded.
final class ClientSlots: Sendable {
    private struct State {
        var total = 0
        var byClient: [String: Int] = [:]
    }

    private let state = Mutex(State())

    var total: Int { state.withLock { $0.total } }
    /// How many clients are known; for tests.
    var clientCount: Int { state.withLock { $0.byClient.count } }

    /// Counts one more of a client.
    ///
    /// - Parameters:
    ///   - client: the client.
    ///   - most: how many may be open in all.
    ///   - mostOfClient: how many of this client.
    /// - Throws: ``Refusal`` where so many are open.
    func open(
        _ client: String, upTo most: Int = .max, ofClient mostOfClient: Int
    ) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state in
            let count = state.byClient[client] ?? 0
            if count >= mostOfClient { return .client }
            if state.total >= most { return .all }
            state.byClient[client] = count + 1
            state.total += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Counts one less.
    func close(_ client: String) {
        state.withLock { state in
            state.total -= 1
            let count = (state.byClient[client] ?? 1) - 1
            state.byClient[client] = count > 0 ? count : nil
        }
    }

    /// Why there is no more of something.
    enum Refusal: Error {
        case client
        case all
    }
}

/// The right to one open stream, as long as somebody holds it.
final class StreamSlot: Sendable {
    private let slots: ClientSlots
    private let client: String

    /// - Throws: ``Problem`` when so many are open already.
    init(_ slots: ClientSlots, of client: String, _ limits: ServerLimits) throws {
        do throws(ClientSlots.Refusal) {
            try slots.open(client, upTo: limits.streams, ofClient: limits.clientStreams)
        } catch {
            throw error == .client
                ? Problem.tooManyStreams : Problem.busy("Too many streams are open.")
        }
        self.slots = slots
        self.client = client
    }

    deinit { slots.close(client) }
}
