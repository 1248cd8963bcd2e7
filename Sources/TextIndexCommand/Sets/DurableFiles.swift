import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that are there whole, or not at all, whatever ends the process or the machine.
enum DurableFiles {
    /// Writes a file beside its place, and renames it into place.
    ///
    /// - Throws: ``CommandError`` with the system's reason.
    static func write(_ text: String, to path: String) throws {
        let temporary = "\(path).\(UUID().uuidString)"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("write", temporary) }
        do {
            defer { close(file) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.write(file, $0.baseAddress, $0.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("write", temporary) }
                rest = rest.dropFirst(count)
            }
            guard fsync(file) == 0 else { throw failure("write", temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let error = failure("write", path)
            unlink(temporary)
            throw error
        }
        try syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Renames a folder to a name that is free, or whose folder is empty; false where it is not.
    ///
    /// - Throws: ``CommandError`` with the system's reason.
    static func renameFolder(_ old: String, to new: String) throws -> Bool {
        if rename(old, new) == 0 {
            try syncFolder((new as NSString).deletingLastPathComponent)
            return true
        }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw failure("rename", old)
    }

    /// Has the names in a folder last.
    static func syncFolder(_ path: String) throws {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open", path) }
        defer { close(folder) }
        // Some file systems cannot.
        guard fsync(folder) == 0 || errno == EINVAL || errno == EROFS else {
            throw failure("write", path)
        }
    }

    private static func failure(_ verb: String, _ path: String) -> CommandError {
        CommandError("cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
