internal import CLevelDB

/// A failure that a test asks for: of the file operations that match, some are made to fail.
///
/// For the tests of this package only.
package struct Fault: Sendable {
    /// The kinds of file operation.
    package enum Operation: Sendable {
        case create, append, sync, syncDirectory, close, rename, remove, open, read, truncate, space
        /// Locking a directory that was just opened. It can only wait, or be counted.
        case lock
    }

    /// What happens instead of the operation.
    package enum Action: Sendable {
        /// Nothing: it is only counted.
        case count
        /// It fails.
        case fail(errno: Int32)
        /// Half of what is appended is written, then it fails.
        case shortWrite(errno: Int32)
        /// It waits until the fault is disarmed, then goes on.
        case stall
        /// The process is killed before it.
        case kill
    }

    package var path: String
    package var file: String
    package var operation: Operation
    package var action: Action
    package var skip: UInt64
    package var times: UInt64

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - operation: Which operations.
    ///   - path: Of databases whose path contains this.
    ///   - file: On files whose name contains this.
    ///   - action: What happens.
    ///   - skip: How many go well first.
    ///   - times: How many then do not.
    package init(
        _ operation: Operation, at path: String, file: String = "", _ action: Action,
        skip: UInt64 = 0,
        times: UInt64 = .max
    ) {
        self.operation = operation
        self.path = path
        self.file = file
        self.action = action
        self.skip = skip
        self.times = times
    }

    /// Lets it happen while `body` runs; `body` is given a function that tells how many operations
    /// matched so far.
    package func whileArmed<R>(_ body: (_ seen: () -> UInt64) throws -> R) rethrows -> R {
        let number = arm()
        defer { Self.disarm(number) }
        return try body { cldb_fault_seen(number) }
    }

    /// Lets it happen from now on; gives a number to disarm it with.
    package func arm() -> UInt64 {
        let (code, error) = action.forC
        return path.withCString { path in
            file.withCString { file in
                var fault = cldb_fault(
                    path: path, file: file, operation: operation.forC, action: code,
                    error_number: error,
                    skip: skip, times: times)
                return cldb_fault_arm(&fault)
            }
        }
    }

    /// Ends it.
    package static func disarm(_ number: UInt64) { cldb_fault_disarm(number) }

    /// How many operations have matched since it was armed.
    package static func seen(_ number: UInt64) -> UInt64 { cldb_fault_seen(number) }
}

extension Fault.Operation {
    fileprivate var forC: cldb_operation {
        switch self {
        case .create: CLDB_OPERATION_CREATE
        case .append: CLDB_OPERATION_APPEND
        case .sync: CLDB_OPERATION_SYNC
        case .syncDirectory: CLDB_OPERATION_SYNC_DIRECTORY
        case .close: CLDB_OPERATION_CLOSE
        case .rename: CLDB_OPERATION_RENAME
        case .remove: CLDB_OPERATION_REMOVE
        case .open: CLDB_OPERATION_OPEN
        case .read: CLDB_OPERATION_READ
        case .truncate: CLDB_OPERATION_TRUNCATE
        case .space: CLDB_OPERATION_SPACE
        case .lock: CLDB_OPERATION_LOCK
        }
    }
}

extension Fault.Action {
    fileprivate var forC: (cldb_fault_action, Int32) {
        switch self {
        case .count: (CLDB_FAULT_COUNT, 0)
        case .fail(let errno): (CLDB_FAULT_FAIL, errno)
        case .shortWrite(let errno): (CLDB_FAULT_SHORT_WRITE, errno)
        case .stall: (CLDB_FAULT_STALL, 0)
        case .kill: (CLDB_FAULT_KILL, 0)
        }
    }
}
