import Foundation
import Synchronization
import TextSearch

/// What other threads tell the one that has the screen.
enum ReplMessage: Sendable {
    /// The answer to a search, by its number.
    case answer(Int, ReplAnswer)
    case more(Int, items: [SearchResultItem<Record>], cursor: SearchCursor)
    case facets(Int, [ReplFacet])
    case suggestions(Int, [String])
    case ready(Int, [Int: ReplHit])
    case failed(Int, String)
}

/// What was found for a text.
struct ReplAnswer: Sendable {
    var items: [SearchResultItem<Record>]
    var cursor: SearchCursor
    var summary: String
    var notes: [String]
    /// The first hits.
    var ready: [Int: ReplHit]
}

/// Messages that wait for the thread that has the screen, which is woken for each.
///
/// **Thread safety**: may be used from any thread.
final class ReplInbox: Sendable {
    let pipe: WakePipe
    private let messages = Mutex<[ReplMessage]>([])

    init() throws { pipe = try WakePipe() }

    func post(_ message: ReplMessage) {
        messages.withLock { $0.append(message) }
        pipe.wake()
    }

    /// All that wait, in order.
    func take() -> [ReplMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
