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
    /// Writes a file beside its place, and renames it into place. Where the path is a link, that is
    /// the place to which it leads. A pipe or a device stays what it is, and the text goes there.
    ///
    /// - Throws: ``CommandError`` with the system's reason.
    static func write(_ text: String, to given: String) throws {
        if let entry = Entry(Path(given)), !entry.isFile {
            let file = open(given, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw failure("write", given) }
            defer { close(file) }
            return try write(text, to: file, of: given)
        }
        let path = try place(of: given)
        let temporary = "\(path).\(UUID().uuidString)"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("write", temporary) }
        do {
            defer { close(file) }
            try write(text, to: file, of: temporary)
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

    private static func write(_ text: String, to file: Int32, of path: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Where a path leads, also when nothing lies there yet.
    private static func place(of given: String) throws -> String {
        if let path = Path(given).resolved?.exactText { return path }
        var path = given
        // As many links in a row as Linux follows.
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            else { return path }
            let folder = Path((path as NSString).deletingLastPathComponent)
            path = next.hasPrefix("/") ? next : "\(folder.text)/\(next)"
        }
        throw CommandError("cannot write \(given): \(String(cString: strerror(ELOOP)))")
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
    /// - Returns: The folders that were made, the outermost first.
    /// - Throws: ``CommandError``, which names what is in the way.
    static func makeFolder(_ path: String) throws -> [String] {
        if mkdir(path, 0o777) == 0 { return [path] }
        let reason = errno
        let above = (path as NSString).deletingLastPathComponent
        switch reason {
        case EEXIST:
            guard Entry(Path(path))?.isFolder ?? false else {
                throw CommandError("\(path) is no folder; name another place")
            }
            return []
        case ENOENT, ENOTDIR:
            guard above != path, !above.isEmpty else { fallthrough }
            let made = try makeFolder(above)
            if mkdir(path, 0o777) == 0 { return made + [path] }
            if errno == EEXIST { return made }
            let error = failure("make", path)
            removeEmpty(made)
            throw error
        default:
            throw CommandError("cannot make \(path): \(String(cString: strerror(reason)))")
        }
    }

    /// Removes those of some folders that ``makeFolder(_:)`` made in which nothing lies.
    static func removeEmpty(_ folders: [String]) {
        for folder in folders.reversed() { rmdir(folder) }
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
