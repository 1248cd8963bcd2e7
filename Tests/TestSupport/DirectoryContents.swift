import Foundation

/// The files of a directory, to be compared, damaged and put back.
struct DirectoryContents: Equatable {
    var files: [String: Data] = [:]

    init(of directory: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            files[name] = try Data(contentsOf: directory.appendingPathComponent(name))
        }
    }

    func write(to directory: URL) throws {
        try? FileManager.default.removeItem(at: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: directory.appendingPathComponent(name)) }
    }
}
