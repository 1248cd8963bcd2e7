import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Copies what an application keeps beside an index, such that it lasts.
///
/// Facts:
/// 1. Files and folders are synced before the copy gets its name, as all else in it is: a power cut
///    must not leave an index with empty settings, and the whole ones removed.
/// 2. A symbolic link is copied as one, and not followed. A pipe, socket or device is neither
///    opened nor copied: the other end of a pipe may never come.
/// 3. What the application removes meanwhile is left out.
enum FilesBeside {
    /// What the system refused, by the path that it was about.
    struct Failure: Error {
        let path: String
        let number: Int32

        init(_ path: String) {
            self.path = path
            number = errno
        }

        var isDiskFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }
        var description: String { String(cString: strerror(number)) }
    }

    /// Copies entries of one directory into another, and syncs that.
    ///
    /// - Throws: ``Failure``, with the target left as far as it came.
    static func copy(_ names: [String], from source: String, to target: String) throws {
        for name in names { try copy("\(source)/\(name)", to: "\(target)/\(name)") }
        try sync(target)
    }

    private static func copy(_ source: String, to target: String) throws {
        var status = stat()
        guard lstat(source, &status) == 0 else {
            if errno == ENOENT { return }
            throw Failure(source)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try copyFile(source, to: target)
        case S_IFDIR: try copyFolder(source, to: target, mode: status.st_mode & 0o7777)
        case S_IFLNK: try copyLink(source, to: target)
        default: break
        }
    }

    private static func copyFolder(_ source: String, to target: String, mode: mode_t) throws {
        guard mkdir(target, 0o700) == 0 else { throw Failure(target) }
        let names = try FileManager.default.contentsOfDirectory(atPath: source)
        try copy(names, from: source, to: target)
        guard chmod(target, mode) == 0 else { throw Failure(target) }
    }

    private static func copyLink(_ source: String, to target: String) throws {
        var place = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // The last element stays zero, so that the array is a string of C.
        guard readlink(source, &place, place.count - 1) >= 0 else { throw Failure(source) }
        guard symlink(place, target) == 0 else { throw Failure(target) }
    }

    private static func copyFile(_ source: String, to target: String) throws {
        // It may be no file any more: not to wait for the other end of a pipe, nor to follow a
        // link.
        let from = open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard from >= 0 else {
            if errno == ENOENT { return }
            throw Failure(source)
        }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0 else { throw Failure(source) }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw Failure(target) }
        do {
            try copyBytes(from, source, to, target)
            guard fchmod(to, status.st_mode & 0o7777) == 0, fsync(to) == 0 else {
                throw Failure(target)
            }
        } catch {
            close(to)
            throw error
        }
        guard close(to) == 0 || errno == EINTR else { throw Failure(target) }
    }

    private static func copyBytes(
        _ from: Int32, _ source: String, _ to: Int32, _ target: String
    ) throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(source)
            }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { bytes in
                    write(
                        to, UnsafeRawBufferPointer(rebasing: bytes[done..<count]).baseAddress,
                        count - done)
                }
                if written >= 0 {
                    done += written
                } else if errno != EINTR {
                    throw Failure(target)
                }
            }
        }
    }

    private static func sync(_ directory: String) throws {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(directory) }
        defer { close(descriptor) }
        // Some file systems know no syncing of directories.
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EOPNOTSUPP].contains(errno) else {
            throw Failure(directory)
        }
    }
}
