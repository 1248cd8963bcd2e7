import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What can be given on the command line to index.
enum Source: Equatable {
    /// A text file: one object.
    case text(path: String, size: Int)
    /// A JSON Lines file: an object a line.
    case lines(path: String, size: Int)
    /// JSON Lines from standard input.
    case standardInput

    var size: Int {
        switch self {
        case .text(_, let size), .lines(_, let size): size
        case .standardInput: 0
        }
    }
}

/// Finds the files to index below the paths that were given, in sorted order.
///
/// Folders are searched for `.txt` and `.md` files. Names that begin with a dot and links to folders
/// are passed over, and so is the folder of the index. Memory: the names of one folder a level.
struct Walker: Sequence, IteratorProtocol {
    private static let textSuffixes: Set = ["txt", "text", "md", "markdown"]
    private static let lineSuffixes: Set = ["jsonl", "ndjson"]

    private enum Step {
        case given(String)
        case found(String)
    }

    private var steps: [Step]
    private let excluded: String
    private let onUnreadable: @Sendable (String) -> Void

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - paths: absolute paths, or `-` for standard input.
    ///   - excluded: the absolute path of the index.
    ///   - onUnreadable: told of every folder that cannot be read.
    init(
        _ paths: [String], excluding excluded: String,
        onUnreadable: @escaping @Sendable (String) -> Void
    ) {
        steps = paths.reversed().map(Step.given)
        self.excluded = excluded
        self.onUnreadable = onUnreadable
    }

    mutating func next() -> Source? {
        while let step = steps.popLast() {
            switch step {
            case .given(Origin.standardInput): return .standardInput
            case .given(let path):
                guard let entry = Entry(path) else { continue }
                if entry.isFolder {
                    descend(path)
                } else if Self.lineSuffixes.contains(Paths.suffix(path)) {
                    return .lines(path: path, size: entry.size)
                } else {
                    return .text(path: path, size: entry.size)
                }
            case .found(let path):
                guard let entry = Entry(path), path != excluded else { continue }
                if entry.isFolder {
                    if !entry.isLink { descend(path) }
                } else if entry.isFile, Self.textSuffixes.contains(Paths.suffix(path)) {
                    return .text(path: path, size: entry.size)
                }
            }
        }
        return nil
    }

    private mutating func descend(_ folder: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            onUnreadable(folder)
            return
        }
        let sorted = names.filter { !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        steps.append(contentsOf: sorted.reversed().map { .found(Paths.join(folder, $0)) })
    }
}

/// What the file system says of a path.
struct Entry {
    let isFolder: Bool
    let isFile: Bool
    let isLink: Bool
    let size: Int

    /// Looks at a path, through links; nil when there is nothing.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        size = isFile ? max(Int(status.st_size), 0) : 0
        isLink = Self.isLink(path)
    }

    /// Whether a path is a link to something that does not exist.
    static func isDeadLink(_ path: String) -> Bool { isLink(path) && Entry(path) == nil }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
