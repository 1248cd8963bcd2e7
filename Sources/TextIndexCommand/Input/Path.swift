import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A path as the system has it: bytes, which need not be text.
///
/// Paths are changed without looking at the file system; symbolic links stay, so that a file has
/// the name by which it was given.
struct Path: Hashable, Sendable {
    /// The bytes, without a zero among them.
    let bytes: [UInt8]

    /// What stands for standard input among paths.
    static let standardInput = Path("-")

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    init(_ text: String) { self.init(bytes: text.utf8) }

    /// The folder that relative paths begin at; `/` where the system does not tell.
    static var current: Path {
        guard let found = getcwd(nil, 0) else { return Path("/") }
        defer { free(found) }
        return Path(cString: found)
    }

    /// Copies a string of C.
    init(cString: UnsafePointer<CChar>) {
        // Within the string: strlen counts the bytes before its zero.
        bytes = Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    /// The path for people: what is not UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The path as text that names the same file; nil where it is not UTF-8.
    var exactText: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether the path begins at the root of the file system.
    var isAbsolute: Bool { bytes.first == Self.slash }

    /// Hands the path to a function of the system.
    func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        // A zero ends the array, so the buffer is a string of C, and never empty.
        (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map(body) ?? body("")
        }
    }

    /// The path below this folder, unless it is absolute.
    func appending(_ path: Path) -> Path {
        if path.isAbsolute { return path }
        return Path(bytes: bytes.last == Self.slash ? bytes + path.bytes : prefix + path.bytes)
    }

    /// The absolute path without `.`, `..`, doubled and trailing slashes.
    func absolute(from folder: Path = .current) -> Path {
        var parts: [ArraySlice<UInt8>] = []
        for part in folder.appending(self).bytes.split(separator: Self.slash)
        where !part.elementsEqual([Self.dot]) {
            if part.elementsEqual([Self.dot, Self.dot]) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return Path(bytes: [Self.slash] + parts.joined(separator: [Self.slash]))
    }

    /// Where the path really lies, links resolved; nil where there is nothing.
    var resolved: Path? {
        guard let found = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return Path(cString: found)
    }

    /// An absolute path as seen from a folder: relative if it lies below it.
    func relative(to root: Path) -> Path {
        if self == root { return Path(".") }
        let prefix = root.prefix
        return bytes.starts(with: prefix) ? Path(bytes: bytes.dropFirst(prefix.count)) : self
    }

    /// Whether a path is this folder's or lies below it.
    func contains(_ path: Path) -> Bool { path == self || path.bytes.starts(with: prefix) }

    /// The last part; what is not UTF-8 of it becomes U+FFFD.
    var name: String { String(decoding: nameBytes, as: UTF8.self) }

    private var nameBytes: ArraySlice<UInt8> { bytes.split(separator: Self.slash).last ?? [] }

    /// The part after the last dot, in lower case.
    var suffix: String {
        let name = nameBytes
        guard let dot = name.lastIndex(of: Self.dot), dot > name.startIndex else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// What the paths below this folder begin with.
    private var prefix: [UInt8] { bytes.last == Self.slash ? bytes : bytes + [Self.slash] }
}
