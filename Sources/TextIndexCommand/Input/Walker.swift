/// What can be given on the command line to index.
enum Source: Equatable {
    /// A text file: one object.
    case text(path: Path, size: Int)
    /// A JSON Lines file: an object a line.
    case lines(path: Path, size: Int)
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
/// Folders are searched for `.txt` and `.md` files. Names that begin with a dot and links to
/// folders are passed over, and so are the folder of the index, and links to files that lie outside
/// of the folder that was given, unless they are asked for. A path that was given is visited once,
/// in its own place, also when it lies in a folder that was given. Memory: the names of one folder
/// a level.
struct Walker: Sequence, IteratorProtocol {
    private static let textSuffixes: Set = ["txt", "text", "md", "markdown"]
    private static let lineSuffixes: Set = ["jsonl", "ndjson"]

    private enum Step {
        case given(Path)
        case found(Path)
    }

    private var steps: [Step]
    private let given: Set<Path>
    private let excluded: Path
    private let followsLinks: Bool
    private let onUnreadable: @Sendable (Path) -> Void
    private let onLink: @Sendable (Path) -> Void
    private let onOther: @Sendable (Path) -> Void
    /// The path that was given from which the last source came.
    private(set) var current = Path.standardInput
    /// Where `current` really lies.
    private var currentPlace: Path?

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - paths: absolute paths, or `-` for standard input.
    ///   - excluded: the absolute path of the index.
    ///   - followsLinks: whether links lead out of the folders that were given.
    ///   - onUnreadable: told of every folder that cannot be read.
    ///   - onLink: told of every link to a file outside that is passed over.
    ///   - onOther: told of every file of another kind that is passed over.
    init(
        _ paths: [Path], excluding excluded: Path, followsLinks: Bool = false,
        onUnreadable: @escaping @Sendable (Path) -> Void,
        onLink: @escaping @Sendable (Path) -> Void = { _ in },
        onOther: @escaping @Sendable (Path) -> Void = { _ in }
    ) {
        var given: Set<Path> = []
        steps = paths.filter { given.insert($0).inserted }.reversed().map(Step.given)
        self.given = given
        self.excluded = excluded
        self.followsLinks = followsLinks
        self.onUnreadable = onUnreadable
        self.onLink = onLink
        self.onOther = onOther
    }

    mutating func next() -> Source? {
        while let step = steps.popLast() {
            switch step {
            case .given(.standardInput):
                current = .standardInput
                return .standardInput
            case .given(let path):
                current = path
                currentPlace = path.resolved
                guard let entry = Entry(path) else { continue }
                if entry.isFolder {
                    descend(path)
                } else if Self.lineSuffixes.contains(path.suffix) {
                    return .lines(path: path, size: entry.size)
                } else {
                    return .text(path: path, size: entry.size)
                }
            case .found(let path):
                guard path != excluded, !given.contains(path), let entry = Entry(path) else {
                    continue
                }
                if entry.isFolder {
                    if !entry.isLink { descend(path) }
                } else if entry.isFile {
                    guard Self.textSuffixes.contains(path.suffix) else {
                        onOther(path)
                        continue
                    }
                    if entry.isLink, !followsLinks, leadsOut(path) {
                        onLink(path)
                        continue
                    }
                    return .text(path: path, size: entry.size)
                }
            }
        }
        return nil
    }

    /// Whether a link leads out of the folder that was given.
    private func leadsOut(_ link: Path) -> Bool {
        guard let place = link.resolved, let currentPlace else { return true }
        return !currentPlace.contains(place)
    }

    private mutating func descend(_ folder: Path) {
        guard let names = Entry.names(in: folder) else {
            onUnreadable(folder)
            return
        }
        let sorted = names.filter { $0.bytes.first != UInt8(ascii: ".") }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        steps.append(contentsOf: sorted.reversed().map { .found(folder.appending($0)) })
    }
}
