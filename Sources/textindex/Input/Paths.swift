import Foundation

/// Paths as plain strings, changed without looking at the file system.
enum Paths {
    /// The path with the folder before it, unless it is absolute.
    static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// The absolute path without `.`, `..`, doubled and trailing slashes.
    ///
    /// Symbolic links stay: a file has the name by which it was given.
    static func absolute(
        _ path: String, from folder: String = FileManager.default.currentDirectoryPath
    ) -> String {
        var parts: [Substring] = []
        for part in join(folder, path).split(separator: "/") where part != "." {
            if part == ".." {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// An absolute path as seen from a folder: relative if it lies below it.
    static func relative(_ path: String, to root: String) -> String {
        if path == root { return "." }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Whether a path is a folder's or lies below it.
    static func contains(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// The part after the last dot, in lower case.
    static func suffix(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
