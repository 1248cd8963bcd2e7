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

    /// Makes a folder, and those above it, unless it is there.
    ///
    /// - Throws: ``CommandError``, which names what is in the way.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o777) == 0 { return }
        let reason = errno
        let above = (path as NSString).deletingLastPathComponent
        switch reason {
        case EEXIST:
            guard Entry(Path(path))?.isFolder ?? false else {
                throw CommandError("\(path) is no folder; name another place")
            }
        case ENOENT, ENOTDIR:
            guard above != path, !above.isEmpty else { fallthrough }
            try makeFolder(above)
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure("make", path) }
        default:
            throw CommandError("cannot make \(path): \(String(cString: strerror(reason)))")
        }
    }

    /// Lets other users read a folder and all that is in it, as far as the mask of this process
    /// lets them read what it makes.
    ///
    /// - Throws: ``CommandError`` with the system's reason.
    static func letOthersRead(_ path: String) throws {
        // Whatever another thread makes in between is its owner's alone.
        let mask = umask(0o077)
        umask(mask)
        try letOthersRead(Path(path), (0o055 & ~mask, 0o044 & ~mask))
    }

    private static func letOthersRead(
        _ path: Path, _ added: (folder: mode_t, file: mode_t)
    ) throws {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else {
            throw failure("read", path.text)
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return }
        let mode = status.st_mode & 0o7777 | (isFolder ? added.folder : added.file)
        if isFolder {
            guard let names = Entry.names(in: path) else { throw failure("read", path.text) }
            for name in names { try letOthersRead(path.appending(name), added) }
        }
        // The folder comes last: until then nobody sees a part of it.
        guard mode == status.st_mode & 0o7777 || path.withCString({ chmod($0, mode) }) == 0 else {
            throw failure("let others read", path.text)
        }
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
