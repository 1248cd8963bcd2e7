import DequeModule

/// Who may search next: some at a time, one client after the other.
///
/// **Invariants**: 1. While there are two places or more, no client has all of them: one is left
/// for others. 2. A place that becomes free goes to the client whose turn it is, however many
/// requests of others wait. 3. Of a client and in all only so many wait, but for those that wait
/// however many do; one who comes to a full queue takes the place of the last request of the client
/// that has the most there, where that client has more than the one who comes.
struct FairQueue<Waiter> {
    enum Arrival {
        case entered
        /// The waiter was taken; perhaps another had to make room.
        case waits(insteadOf: Waiter?)
        case refused(Refusal)
    }

    enum Refusal {
        /// So many of this client wait already.
        case client
        /// So many wait already.
        case all
    }

    private struct Client {
        var running = 0
        var waiting: Deque<(number: Int, isPatient: Bool, waiter: Waiter)> = []

        /// How many wait that may be refused.
        var impatient: Int { waiting.count { !$0.isPatient } }
    }

    /// How many search at a time, and how many of one client.
    private let places: Int
    private let share: Int
    private let mostWaiting: Int
    private let mostWaitingOfClient: Int
    private var clients: [String: Client] = [:]
    /// The clients that have requests waiting, in the order of their turns.
    private var turns: Deque<String> = []
    private(set) var running = 0
    private(set) var waiting = 0

    init(places: Int, waiting: Int, waitingOfClient: Int) {
        self.places = max(places, 1)
        share = max(self.places - 1, 1)
        mostWaiting = max(waiting, 0)
        mostWaitingOfClient = max(waitingOfClient, 0)
    }

    /// How many clients are known; for tests.
    var clientCount: Int { clients.count }

    /// Takes a place if there is one for this client.
    mutating func enter(_ client: String) -> Bool {
        // Of those who wait nobody could have a place that is free.
        guard running < places, clients[client]?.running ?? 0 < share else { return false }
        clients[client, default: Client()].running += 1
        running += 1
        return true
    }

    /// Takes a place, or waits for one.
    ///
    /// - Parameters:
    ///   - client: who asks.
    ///   - number: what the request is known by while it waits.
    ///   - isPatient: whether it waits however many do.
    ///   - waiter: given back when its turn comes.
    /// - Returns: Whether it entered, waits or is refused.
    mutating func arrive(
        _ client: String, _ number: Int, isPatient: Bool, _ waiter: Waiter
    ) -> Arrival {
        if enter(client) { return .entered }
        var removed: Waiter?
        if !isPatient {
            let count = clients[client]?.impatient ?? 0
            if count >= mostWaitingOfClient { return .refused(.client) }
            if waiting >= mostWaiting {
                guard let last = lastOfLongest(than: count) else { return .refused(.all) }
                removed = last
            }
        }
        if clients[client]?.waiting.isEmpty ?? true { turns.append(client) }
        clients[client, default: Client()].waiting.append((number, isPatient, waiter))
        waiting += 1
        return .waits(insteadOf: removed)
    }

    /// Gives back a place of a client, and gives who has it now.
    mutating func leave(_ client: String) -> Waiter? {
        running -= 1
        clients[client]?.running -= 1
        forget(client)
        for (place, next) in turns.enumerated() {
            guard clients[next]?.running ?? 0 < share,
                let first = clients[next]?.waiting.popFirst()
            else { continue }
            turns.remove(at: place)
            if clients[next]?.waiting.isEmpty == false { turns.append(next) }
            waiting -= 1
            clients[next]?.running += 1
            running += 1
            return first.waiter
        }
        return nil
    }

    /// Takes back a request that waits; nil where it does not any more.
    mutating func remove(_ number: Int, of client: String) -> Waiter? {
        guard let place = clients[client]?.waiting.firstIndex(where: { $0.number == number })
        else { return nil }
        return remove(at: place, of: client)
    }

    private mutating func lastOfLongest(than count: Int) -> Waiter? {
        let lengths = turns.map { (client: $0, count: clients[$0]?.impatient ?? 0) }
        guard let longest = lengths.max(by: { $0.count < $1.count }), longest.count > count + 1,
            let place = clients[longest.client]?.waiting.lastIndex(where: { !$0.isPatient })
        else { return nil }
        return remove(at: place, of: longest.client)
    }

    private mutating func remove(at place: Int, of client: String) -> Waiter? {
        let waiter = clients[client]?.waiting.remove(at: place).waiter
        waiting -= 1
        if clients[client]?.waiting.isEmpty ?? true { turns.removeAll { $0 == client } }
        forget(client)
        return waiter
    }

    /// Nothing is kept of a client that asks for nothing.
    private mutating func forget(_ client: String) {
        guard let known = clients[client], known.running == 0, known.waiting.isEmpty else { return }
        clients[client] = nil
    }
}
