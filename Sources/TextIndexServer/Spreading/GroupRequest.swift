/// A request to one of the replicas of a group: to the next one at once when one fails, and to a
/// second one when the first takes longer than usual.
struct GroupRequest<Reading: Sendable>: Sendable {
    /// In the order in which they are asked.
    let replicas: [Replica]
    let path: String
    let body: [UInt8]
    let generation: String
    let deadline: ContinuousClock.Instant
    let hedging: Hedging
    /// Reads an answer; nil where it is none, so that another replica is asked.
    let read: @Sendable (NodeReply) async throws -> Reading?

    private enum Event: Sendable {
        case reply(Reading, Duration)
        case failure(NodeFailure)
        case slow
    }

    /// The first answer.
    ///
    /// - Throws: ``NodeFailure`` of the last replica where none answers: `otherGeneration` where
    ///   one of them said so; ``Problem`` where the request itself is wrong; `CancellationError`.
    func send() async throws -> Reading {
        guard let first = replicas.first else { throw NodeFailure.unreachable }
        guard replicas.count > 1 else { return try await sendAlone(to: first) }
        return try await withThrowingTaskGroup(of: Event.self) { tasks in
            defer { tasks.cancelAll() }
            var left = replicas[...]
            var open = 0
            var failures: [NodeFailure] = []
            func ask() {
                guard let replica = left.popFirst() else { return }
                open += 1
                tasks.addTask { try await event(from: replica) }
            }
            ask()
            if let delay = hedging.delay {
                tasks.addTask {
                    try await Task.sleep(for: delay)
                    return .slow
                }
            }
            while open > 0, let event = try await tasks.next() {
                switch event {
                case .reply(let reply, let duration):
                    hedging.note(duration)
                    return reply
                case .failure(let failure):
                    open -= 1
                    failures.append(failure)
                    ask()
                case .slow:
                    if !left.isEmpty, hedging.take() { ask() }
                }
            }
            throw Self.worst(failures)
        }
    }

    private func sendAlone(to replica: Replica) async throws -> Reading {
        switch try await event(from: replica) {
        case .reply(let reply, let duration):
            hedging.note(duration)
            return reply
        case .failure(let failure): throw failure
        case .slow: throw NodeFailure.outOfTime
        }
    }

    /// Another generation says more than that nobody answers: to ask again may help. So does an
    /// answer that is too large: to ask for less may.
    private static func worst(_ failures: [NodeFailure]) -> NodeFailure {
        let other = failures.first { if case .otherGeneration = $0 { true } else { false } }
        let large = failures.first { if case .tooMuch = $0 { true } else { false } }
        return other ?? large ?? failures.last ?? .unreachable
    }

    private func event(from replica: Replica) async throws -> Event {
        let start = ContinuousClock.now
        let reply: NodeReply
        do {
            reply = try await replica.send(path, body, until: deadline)
        } catch let failure as NodeFailure {
            return .failure(failure)
        }
        switch reply.status {
        case 200:
            guard let reading = try await read(reply) else {
                replica.note(.malformed)
                return .failure(.malformed)
            }
            return .reply(reading, .now - start)
        case 404, 409:
            guard ["other-generation", "unknown-shard"].contains(Problem(relaying: reply)?.code)
            else { return .failure(.refused(reply.status)) }
            replica.forget(generation)
            return .failure(.otherGeneration)
        // A node of another version: those that are not may answer.
        case 415:
            replica.leave(.otherVersion(nil))
            return .failure(.otherVersion(nil))
        // Every node would say the same.
        case 400, 413, 422:
            if let problem = Problem(relaying: reply) { throw problem }
            replica.note(.malformed)
            return .failure(.malformed)
        default:
            replica.note(.refused(reply.status))
            return .failure(.refused(reply.status))
        }
    }
}
