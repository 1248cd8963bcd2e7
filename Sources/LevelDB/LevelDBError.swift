internal import CLevelDB

/// What LevelDB, or the layer around it, could not do.
public struct LevelDBError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable {
        /// There is no such key.
        case notFound
        /// Stored bytes are not what was written, or a file is gone.
        case corruption
        /// The file system failed.
        case io
        /// There is no space left.
        case diskFull
        /// The database is open already, in this process or another.
        case locked
        /// The database, or what was made from it, is closed.
        case closed
        /// An earlier write failed; the database takes no more until it is opened again.
        case poisoned
        /// There is a database already.
        case exists
        /// An argument cannot be used.
        case invalidArgument
        /// LevelDB does not do this.
        case notSupported
    }

    /// The kind of failure.
    public var code: Code
    /// LevelDB's own text, or ours.
    public var message: String
    /// The database's directory.
    public var path: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened.
    ///   - path: the database's directory.
    public init(code: Code, message: String, path: String) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The kind, the message and the path.
    public var description: String { "\(code): \(message) (\(path))" }

    /// Throws what `status` says, unless that is well.
    static func check(_ status: borrowing cldb_status, path: String) throws(LevelDBError) {
        guard status.code != CLDB_OK else { return }
        let message = withUnsafeBytes(of: status.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw LevelDBError(code: Code(status.code), message: message, path: path)
    }
}

extension LevelDBError.Code {
    init(_ code: cldb_code) {
        switch code {
        case CLDB_NOT_FOUND: self = .notFound
        case CLDB_CORRUPTION: self = .corruption
        case CLDB_DISK_FULL: self = .diskFull
        case CLDB_LOCKED: self = .locked
        case CLDB_POISONED: self = .poisoned
        case CLDB_EXISTS: self = .exists
        case CLDB_INVALID: self = .invalidArgument
        case CLDB_NOT_SUPPORTED: self = .notSupported
        default: self = .io
        }
    }
}
