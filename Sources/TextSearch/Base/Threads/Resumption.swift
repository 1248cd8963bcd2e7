import Dispatch
import Foundation

/// Where tasks are resumed. What runs here returns at once, so that one thread is enough for all.
enum Resumption {
    static let queue = DispatchQueue(label: "TextSearch.resumption", qos: .userInitiated)
    static let operations = {
        let operations = OperationQueue()
        operations.name = "TextSearch.resumption"
        operations.underlyingQueue = queue
        return operations
    }()
}

extension DispatchGroup {
    /// Returns when the group is empty; the task is suspended until then.
    func ended() async {
        await withCheckedContinuation { continuation in
            notify(queue: Resumption.queue) { continuation.resume() }
        }
    }
}
