import LevelDB

extension TextIndexError {
    /// Whether it says no more than that another write failed before.
    var isOfEarlierWrite: Bool { (underlying as? LevelDBError)?.code == .poisoned }

    /// What is stored in a table cannot be read.
    static func malformed(_ table: Table?) -> TextIndexError {
        .corrupted("the table '\(table.map { "\($0)" } ?? "?")'")
    }

    init(_ error: LevelDBError) {
        let remedy: (Code, String)
        switch error.code {
        case .corruption:
            remedy = (.corrupted, "The stored index is damaged; rebuild it from its objects.")
        case .diskFull:
            remedy = (
                .diskFull, "There is no space left on the disk; free some and try again."
            )
        case .locked:
            remedy = (
                .locked, "The index is open already, here or in another process; close it there."
            )
        case .untrusted:
            remedy = (
                .untrusted, "The directory is not safe for an index: others could have written it."
            )
        case .readOnly:
            remedy = (.readOnly, "The index was opened to be read only.")
        case .notSupported:
            remedy = (
                .unsupportedFormat,
                "The index was written by another version; use that one, or make the index anew from its objects."
            )
        case .notFound: remedy = (.invalidArgument, "There is no index here.")
        case .closed: remedy = (.closed, "The index is closed; open it again to use it.")
        case .invalidArgument, .exists:
            remedy = (.invalidArgument, "The index cannot be opened or written like this.")
        case .poisoned:
            remedy = (
                error.isForWantOfSpace ? .diskFull : .io,
                "An earlier write failed; try again, or open the index again."
            )
        default: remedy = (.io, "Reading or writing the index failed.")
        }
        self.init(
            remedy.0, "\(remedy.1) \(error.message) (\(error.path))", underlying: error)
    }
}
