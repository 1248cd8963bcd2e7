import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the file system says of a path.
struct Entry {
    /// What tells files apart, whatever they are called.
    struct Identity: Hashable {
        fileprivate let device: UInt64
        fileprivate let number: UInt64
    }

    let identity: Identity
    let isFolder: Bool
    let isFile: Bool
    let isLink: Bool
    let size: Int
    /// The number of the user whose it is.
    let owner: UInt32

    /// Looks at a path, through links; nil when there is nothing.
    init?(_ path: Path) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        owner = status.st_uid
        size = isFile ? max(Int(status.st_size), 0) : 0
        isLink = Self.isLink(path)
    }

    /// Whether a path is a link to something that does not exist.
    static func isDeadLink(_ path: Path) -> Bool { isLink(path) && Entry(path) == nil }

    /// The names in a folder, without `.` and `..`, in no order; nil when it cannot be read.
    ///
    /// Foundation leaves out the names that are not UTF-8.
    static func names(in folder: Path) -> [Path]? {
        guard let stream = folder.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [Path] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? names : nil }
            // The system ends the name with a zero; it is read in place, before the next call.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                Path(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != Path(".") && name != Path("..") { names.append(name) }
        }
    }

    private static func isLink(_ path: Path) -> Bool {
        var status = stat()
        return path.withCString({ lstat($0, &status) }) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }
}
