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
    static func advising<R>(
        _ given: String, _ path: String, trusted: [UInt32] = [], _ body: () throws -> R
    ) throws -> R {
        do {
            return try body()
        } catch let error as TextIndexError where error.code == .locked {
            throw error
        } catch {
            let isUntrusted = (error as? TextIndexError)?.code == .untrusted
            throw ownerError(given, path, trusted, isUntrusted: isUntrusted)
                ?? permissionError(given, path) ?? error
        }
    }

    // MARK: Other users

    /// What is to be done about an index that another user made; nil where none did, or where that
    /// is not what is wrong.
    private static func ownerError(
        _ given: String, _ path: String, _ trusted: [UInt32], isUntrusted: Bool
    ) -> CommandError? {
        let places = places(of: path)
        let owners = places.compactMap { Entry($0)?.owner }.filter { $0 != geteuid() }
        guard let owner = owners.first(where: { !trusted.contains($0) }) ?? owners.first else {
            return nil
        }
        let trust = "--trusted-owner \(owner)"
        guard
            places.allSatisfy({ mayAccess($0, Entry($0)?.isFolder ?? false ? R_OK | X_OK : R_OK) })
        else {
            return CommandError(
                "\(given) is user \(owner)'s, and you may not read all of it: have it published "
                    + "with --readable, or ask for chmod -R a+rX \(given); then open it with \(trust)"
            )
        }
        guard isUntrusted, !trusted.contains(owner) else { return nil }
        return IndexPlace.contents(of: path) == .published
            ? CommandError(
                "\(given) is user \(owner)'s, who decides what a search in it finds; if you trust "
                    + "that user, open it with \(trust)")
            : CommandError(
                "\(given) is an index of user \(owner), and only what is published can be read by "
                    + "others: have it published (textindex publish DIR --readable), and open that "
                    + "with \(trust)")
    }

    /// An index with its files; of what was published, those of all generations.
    private static func places(of path: String) -> [Path] {
        func files(in folder: Path) -> [Path] {
            (Entry.names(in: folder) ?? []).map { folder.appending($0) }
        }
        let all = files(in: Path(path))
        guard IndexPlace.contents(of: path) == .published else { return [Path(path)] + all }
        return [Path(path)] + all + all.filter { Entry($0)?.isFolder ?? false }.flatMap(files)
    }

    // MARK: Permissions

    /// What is to be done about missing permissions; nil when none are missing.
    private static func permissionError(_ given: String, _ path: String) -> CommandError? {
        guard Entry(Path(path)) != nil else {
            let parent = Path("..").absolute(from: Path(path))
            guard Entry(parent) != nil, !mayAccess(parent, W_OK | X_OK) else { return nil }
            return CommandError(
                "\(given) cannot be made: its folder is read-only for you; name another place")
        }
        if IndexPlace.contents(of: path) == .published {
            let isReadable = places(of: path).allSatisfy {
                mayAccess($0, Entry($0)?.isFolder ?? false ? R_OK | X_OK : R_OK)
            }
            return isReadable
                ? nil
                : CommandError(
                    "you may not read all of \(given); ask for chmod -R a+rX \(given)")
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
