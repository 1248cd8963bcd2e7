import Foundation
import Synchronization
import TextSearch

/// What happened while a corpus streamed by.
///
/// **Thread safety**: all of it may be used from any thread. The stream of records is pulled by the
/// index on a thread of its choice while the command waits.
final class IndexTally: Sendable {
    /// The counts.
    struct Counts {
        var bytes = 0
        var indexed = 0
        var unchanged = 0
        var failed = 0
        /// Of those that failed, what may have held any number of objects.
        var unreadSources = 0
        var isInterrupted = false
    }

    private struct State {
        var counts = Counts()
        var meter: ProgressMeter
        var shownProblems = 0
        /// What went wrong, for a report.
        var problems: [String] = []
        var hiddenProblems = 0
        var met = MetIdentifiers()
        /// Identifiers of files that are there and could not be read.
        var unread: Set<Data> = []
        /// The paths that were given from which a record came.
        var giving: Set<Path> = []
        /// Files and folders that could not be read to their end.
        var incomplete: [Path] = []
        var otherFiles = OtherFiles()
        /// The members that no line had so far; nil before the first line.
        var absent: Set<String>?
    }

    private static let mostProblems = 50
    /// More problems are counted in a report, and not listed.
    private static let mostReported = 1_000

    private let state: Mutex<State>

    /// Creates an empty tally.
    ///
    /// - Parameter totalBytes: the size of the corpus, if that is known.
    init(totalBytes: Int?) { state = Mutex(State(meter: ProgressMeter(total: totalBytes))) }

    var counts: Counts { state.withLock { $0.counts } }
    var seconds: Double { state.withLock { $0.meter.elapsed } }
    var incomplete: [Path] { state.withLock { $0.incomplete } }

    var problems: [String] { state.withLock { $0.problems } }

    var isInterrupted: Bool { state.withLock { $0.counts.isInterrupted } }
    func interrupt() { state.withLock { $0.counts.isInterrupted = true } }

    func read(bytes: Int) {
        state.withLock {
            $0.counts.bytes += bytes
            $0.meter.update(bytes: $0.counts.bytes, objects: $0.counts.indexed)
        }
    }

    /// Notes that a record came from a path that was given.
    func gave(_ path: Path) { state.withLock { _ = $0.giving.insert(path) } }

    /// Whether a record came from a path that was given, or from one in it that was given, too.
    func hasGiven(_ path: Path) -> Bool {
        state.withLock { state in
            state.giving.contains(path) || state.giving.contains { path.contains($0) }
        }
    }

    /// Counts a file that was passed over for its kind.
    func passOver(_ path: Path) { state.withLock { $0.otherFiles.add(path) } }

    /// What files were passed over; nil where there are none.
    var otherFiles: String? { state.withLock { $0.otherFiles.summary } }

    /// Notes which members a line does not have.
    func lack(_ members: Set<String>) {
        state.withLock { state in
            if state.absent?.isEmpty == true { return }
            state.absent = state.absent?.intersection(members) ?? members
        }
    }

    /// The members that were looked for and that no line had.
    var absent: Set<String> { state.withLock { $0.absent ?? [] } }

    /// Begins with the lines of another source.
    func begin(_ name: String) { state.withLock { $0.met.begin(name) } }

    /// Counts an identifier, as unchanged until ``write(_:)`` says otherwise.
    ///
    /// - Returns: where it was met before in this run; it is counted once.
    func meet(_ identifier: Data, line: Int?) -> MetIdentifiers.Meeting? {
        state.withLock {
            let earlier = $0.met.meet(identifier, line: line)
            if earlier == nil { $0.counts.unchanged += 1 }
            return earlier
        }
    }

    /// Notes that an identifier that was met, and not written before, is given to the index.
    func write(_ identifier: Data) {
        state.withLock {
            $0.met.write(identifier)
            $0.counts.unchanged -= 1
            $0.counts.indexed += 1
        }
    }

    /// Notes that an identifier still exists.
    func remember(_ identifier: Data) { state.withLock { _ = $0.unread.insert(identifier) } }

    func hasMet(_ identifier: Data) -> Bool {
        state.withLock { $0.met.contains(identifier) || $0.unread.contains(identifier) }
    }

    /// Reports something that went wrong with a part of the input; the rest goes on.
    ///
    /// - Parameters:
    ///   - message: where and what.
    ///   - source: the absolute path that cannot be known in full any more, if any.
    ///   - isUnread: whether it was not read to its end, so that nobody knows what was in it.
    func fail(_ message: String, incomplete source: Path? = nil, isUnread: Bool = false) {
        state.withLock {
            $0.counts.failed += 1
            if isUnread { $0.counts.unreadSources += 1 }
            if $0.problems.count < Self.mostReported { $0.problems.append(message) }
            if let source, $0.incomplete.last != source { $0.incomplete.append(source) }
            Self.show(message, &$0)
        }
    }

    /// Reports an object that the index refused after it had been read.
    func refused(_ failure: IndexingReport.Failure) {
        let reason = (failure.error as? TextIndexError)?.message ?? "\(failure.error)"
        fail("new object \(failure.offset + 1) was refused: \(reason)")
        state.withLock { $0.counts.indexed -= 1 }
    }

    /// Counts objects that the index refused without saying why.
    func refused(more count: Int) {
        state.withLock {
            $0.counts.failed += max(count, 0)
            $0.counts.indexed -= max(count, 0)
        }
    }

    /// Reports something that is worth knowing and no failure.
    func warn(_ message: String) {
        state.withLock { Self.show(message, &$0) }
    }

    /// Ends the display of progress.
    func finish() {
        state.withLock {
            $0.meter.clear()
            if $0.hiddenProblems > 0 {
                Console.report("… and \(Format.count($0.hiddenProblems)) more of these")
            }
        }
    }

    private static func show(_ message: String, _ state: inout State) {
        guard state.shownProblems < mostProblems else {
            state.hiddenProblems += 1
            return
        }
        state.shownProblems += 1
        state.meter.clear()
        Console.report(message)
    }
}
