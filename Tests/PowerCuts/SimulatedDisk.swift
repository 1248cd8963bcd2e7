internal import CrashSimulator

/// A disk in memory, which knows what a power cut after any of its operations could have left.
///
/// **Thread safety**: everything may be called from any thread.
package final class SimulatedDisk: Sendable {
    /// What survives of names that were created, renamed and removed since the last sync of the
    /// directory.
    package enum Names: CaseIterable, Sendable {
        /// Every change, as with ext4 mostly.
        case all
        /// The first few changes.
        case prefix
        /// None.
        case none
        /// Removals only.
        case removed
    }

    /// What survives of bytes that were appended since the last sync of their file.
    package enum Tail: CaseIterable, Sendable {
        /// The first of them, or all.
        case kept
        /// None.
        case dropped
        /// The first of them; others are zeros.
        case zeroed
        /// The first of them; others are noise.
        case garbage
    }

    /// One way in which a power cut can go.
    package struct Cut: Sendable, CustomStringConvertible {
        package var operation: UInt64
        package var names: Names
        package var tail: Tail
        package var seed: UInt64

        /// What it says, for a failed test.
        package var description: String {
            "cut after operation \(operation), names \(names), tail \(tail), seed \(seed)"
        }

        /// Whether noise at the end of a log is refused for good reason: in about one of 16,000
        /// blocks that are whole but for noise, the checksum is the one of a write with a single
        /// wrong bit.
        package func isTakenForDamage(_ message: String) -> Bool {
            tail == .garbage && message.contains("the last record is damaged")
        }

        /// The cuts of all kinds after one operation.
        package static func all(after operation: UInt64, seed: UInt64) -> [Cut] {
            Names.allCases.flatMap { names in
                Tail.allCases.map {
                    Cut(operation: operation, names: names, tail: $0, seed: seed)
                }
            }
        }
    }

    nonisolated(unsafe) private let handle: OpaquePointer

    private init(_ handle: OpaquePointer) { self.handle = handle }

    /// An empty disk.
    package convenience init() { self.init(crash_disk_create()) }

    deinit { crash_disk_free(handle) }

    /// How many operations there were that a power cut could come between.
    package var operationCount: UInt64 { crash_disk_operations(handle) }

    /// Lets what is opened at exactly this path lie on the disk while `body` runs.
    package func mounted<R>(at path: String, _ body: () throws -> R) rethrows -> R {
        crash_disk_mount(handle, path)
        defer { crash_disk_unmount(path) }
        return try body()
    }

    /// The same for work that is awaited.
    package func mounted<R>(
        at path: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> R
    ) async rethrows -> R {
        crash_disk_mount(handle, path)
        defer { crash_disk_unmount(path) }
        return try await body()
    }

    /// What the cut leaves. Fast for one cut after another, none earlier than those before.
    package func image(of cut: Cut) -> SimulatedDisk {
        SimulatedDisk(
            crash_disk_image(handle, cut.operation, cut.names.forC, cut.tail.forC, cut.seed))
    }
}

extension SimulatedDisk.Names {
    fileprivate var forC: crash_names {
        switch self {
        case .all: CRASH_NAMES_ALL
        case .prefix: CRASH_NAMES_PREFIX
        case .none: CRASH_NAMES_NONE
        case .removed: CRASH_NAMES_REMOVED
        }
    }
}

extension SimulatedDisk.Tail {
    fileprivate var forC: crash_tail {
        switch self {
        case .kept: CRASH_TAIL_KEPT
        case .dropped: CRASH_TAIL_DROPPED
        case .zeroed: CRASH_TAIL_ZEROED
        case .garbage: CRASH_TAIL_GARBAGE
        }
    }
}
