import HummingbirdCore
import Logging
import NIOCore

/// Answers the requests of a connection on the event loop of its channel.
///
/// What is read, answered and written goes from one thread to another only where a search blocks
/// one. Nothing else blocks: see ``SearchGate``.
struct LoopChannel: ServerChildChannel {
    private let channel: HTTP1Channel

    init(_ channel: HTTP1Channel) { self.channel = channel }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        self.channel.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        let executor = LoopExecutor(value.channel.eventLoop)
        await withTaskExecutorPreference(executor) {
            await channel.handle(value: value, logger: logger)
        }
    }
}

/// Runs tasks on an event loop. Tasks that nobody waits for do not take it over by themselves.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
