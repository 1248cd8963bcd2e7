internal import CLevelDB

/// What went wrong with a database.
public struct LevelDBError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure that a caller may want to tell apart.
    public enum Code: Sendable {
        /// There is no database at the path.
        case notFound
        /// Stored data is damaged or missing. What was read before the error is right, but
        /// incomplete.
        case corruption
        /// The system refused to read or write.
        case io
        /// No space is left on the disk, or in the user's quota.
        case diskFull
        /// The database is open elsewhere, in this process or in another.
        case locked
        /// The database has been closed, or was opened before this process was forked.
        case closed
        /// An earlier write failed. The database accepts no more until it is opened again.
        case poisoned
        /// Something exists already where a database was to be created.
        case exists
        /// A limit or a rule of use was violated.
        case invalidArgument
        /// LevelDB does not support the call, or the database has another format.
        case notSupported
        /// The directory is a symbolic link, or it or a file of the database belongs to another
        /// user or can be written by others.
        case untrusted
        /// The database was opened to be read only.
        case readOnly
    }

    /// The kind of failure, to decide what to do.
    public var code: Code

    /// Whether the first failure was a lack of space; only with ``Code-swift.enum/diskFull`` and
    /// ``Code-swift.enum/poisoned``.
    public var isForWantOfSpace: Bool

    /// What happened, in LevelDB's own words or ours. Never contains keys or values.
    public var message: String

    /// The directory of the database.
    public var path: String

    /// Creates an error. `isForWantOfSpace` matters for `.poisoned` only; for other codes it
    /// follows from the code.
    public init(code: Code, message: String, path: String, isForWantOfSpace: Bool = false) {
        self.code = code
        self.isForWantOfSpace = code == .diskFull || (code == .poisoned && isForWantOfSpace)
        self.message = message
        self.path = path
    }

    /// The path and the message, on one line.
    public var description: String { "\(path): \(message)" }
}

extension LevelDBError {
    /// Takes over what a call of the C interface reported.
    init(_ code: cldb_code, _ message: UnsafeMutablePointer<CChar>?, path: String) {
        defer { cldb_string_free(message) }
        self.init(
            code: Code(code),
            message: message.map { String(cString: $0) } ?? "no memory for more about it",
            path: path, isForWantOfSpace: code == CLDB_POISONED_DISK_FULL)
    }

    /// Throws unless a call of the C interface went well.
    @inline(__always)
    static func check(
        _ code: cldb_code, _ message: UnsafeMutablePointer<CChar>?, path: String
    ) throws(LevelDBError) {
        if code != CLDB_OK { throw LevelDBError(code, message, path: path) }
    }
}

extension LevelDBError.Code {
    init(_ code: cldb_code) {
        switch code {
        case CLDB_NOT_FOUND: self = .notFound
        case CLDB_CORRUPTION: self = .corruption
        case CLDB_DISK_FULL: self = .diskFull
        case CLDB_LOCKED: self = .locked
        case CLDB_CLOSED: self = .closed
        case CLDB_POISONED, CLDB_POISONED_DISK_FULL: self = .poisoned
        case CLDB_EXISTS: self = .exists
        case CLDB_INVALID_ARGUMENT: self = .invalidArgument
        case CLDB_NOT_SUPPORTED: self = .notSupported
        case CLDB_UNTRUSTED: self = .untrusted
        case CLDB_READ_ONLY: self = .readOnly
        default: self = .io
        }
    }
}
