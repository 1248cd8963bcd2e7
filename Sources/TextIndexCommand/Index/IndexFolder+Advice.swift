import Foundation
import TextSearch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension IndexFolder {
    /// The error for a link without an end.
    static func leadsNowhere(_ given: String) -> CommandError {
        CommandError(
            "\(given) is a link that leads nowhere; remove it, or restore what it leads to")
    }

    /// Adds to an error what can be done where permissions are missing: the system's own words for
    /// that name a file of the database and leave one at a loss.
    static func advising<R>(_ given: String, _ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as TextIndexError where error.code == .locked {
            throw error
        } catch {
            throw permissionError(given, path) ?? error
        }
    }

    /// What is to be done about missing permissions; nil when none are missing.
    private static func permissionError(_ given: String, _ path: String) -> CommandError? {
        guard Entry(Path(path)) != nil else {
            let parent = Path("..").absolute(from: Path(path))
            guard Entry(parent) != nil, !mayAccess(parent, W_OK | X_OK) else { return nil }
            return CommandError(
                "\(given) cannot be made: its folder is read-only for you; name another place")
        }
        let names = Entry.names(in: Path(path)) ?? []
        let isOpen =
            mayAccess(Path(path), R_OK | W_OK | X_OK)
            && names.allSatisfy { mayAccess(Path(path).appending($0), R_OK | W_OK) }
        if isOpen { return nil }
        return CommandError(
            "the index at \(given) is read-only for you, and even a search must lock it and may "
                + "write; ask for permission to write all of it (chmod -R u+rwX \(given)), or search "
                + "a copy of your own (cp -R)")
    }

    /// Whether no permission is missing; a link that leads nowhere needs none.
    private static func mayAccess(_ path: Path, _ mode: Int32) -> Bool {
        path.withCString { access($0, mode) == 0 || ![EACCES, EPERM, EROFS].contains(errno) }
    }
}
