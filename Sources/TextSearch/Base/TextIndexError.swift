public import Foundation

/// What went wrong, where, and what to do about it.
///
/// The message never contains terms, queries or texts of yours.
public struct TextIndexError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of failure. Later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// Stored data differs from what was written. The message says where.
        public static let corrupted = Code("corrupted")
        /// Reading or writing failed. Whether the operation took effect is unknown. The next one
        /// finds out, and goes on if it can.
        public static let io = Code("io")
        /// No space is left. Nothing committed is lost, and operations go on when there is space
        /// again.
        public static let diskFull = Code("diskFull")
        /// The index is already open, here or in another process.
        public static let locked = Code("locked")
        /// The index was closed before or during the call.
        public static let closed = Code("closed")
        /// The index was written by another version of this library, in a format that this one does
        /// not know.
        public static let unsupportedFormat = Code("unsupportedFormat")
        /// The index was built with other analysis settings than it was opened with.
        public static let configurationMismatch = Code("configurationMismatch")
        /// An argument, or a value that a hook returned, is invalid.
        public static let invalidArgument = Code("invalidArgument")
        /// Something exceeds a limit of the index or of queries.
        public static let limitExceeded = Code("limitExceeded")
        /// A hook that the call needs is not set.
        public static let missingHook = Code("missingHook")
        /// The directory is a symbolic link, or it or a file of the database belongs to another
        /// user or can be written by others.
        public static let untrusted = Code("untrusted")
        /// The index was opened for reading only.
        public static let readOnly = Code("readOnly")
        /// The stored ``ClientState`` is not the one that a change expects. Nothing of the change
        /// was written.
        public static let mismatchedClientState = Code("mismatchedClientState")
        /// A position does not belong to a database's history: it is too old, or the database is
        /// another one.
        public static let historyLost = Code("historyLost")
        /// The operation was cancelled before it took effect.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of failure, to decide what to do.
    public let code: Code
    /// What happened and what to do, in a sentence or two.
    public let message: String
    /// The error of the storage engine or a hook, if that was the cause.
    public let underlying: (any Error)?

    /// Creates an error of a kind, with a message for people.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened and what to do.
    ///   - underlying: the error that led to it.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The message, for code that shows errors to people.
    public var errorDescription: String? { message }

    static let closed = TextIndexError(
        .closed, "The index is closed; open it again to use it.")

    static let readOnly = TextIndexError(
        .readOnly, "The index was opened to be read only; operations need it opened otherwise.")

    static let mismatchedClientState = TextIndexError(
        .mismatchedClientState,
        "Another client state is stored than the change expects; read it and try again.")

    static func missingHook(_ name: String) -> TextIndexError {
        TextIndexError(
            .missingHook, "The index has no \(name); set the hook or override the method.")
    }

    static func corrupted(_ place: String) -> TextIndexError {
        TextIndexError(
            .corrupted,
            "The index holds damaged data in \(place); rebuild it from its objects.")
    }
}
