import Foundation
import TextSearch

extension IndexFolder {
    /// The objects that came from a file, from the files below a folder, or from standard input.
    ///
    /// Complexity: O(objects); the origin of each is read.
    func identifiers(under given: Path) throws -> [Data] {
        let place = given == .standardInput ? given : given.absolute()
        var found: [Data] = []
        try index.forEachIdentifier { identifier in
            if let origin = try origin(of: identifier),
                let source = source(of: identifier, origin), place.contains(source)
            {
                found.append(identifier)
            }
            return true
        }
        return found
    }

    /// The object that an identifier is of, as it is printed or, of a file, as a path from here;
    /// nil when there is none.
    func identifier(of given: Path) throws -> Data? {
        try [Data(given.bytes), identifier(ofFile: given.absolute())]
            .first { try !$0.isEmpty && index.contains(identifier: $0) }
    }

    /// What was stored of where an object came from; nil when it was not indexed by this command.
    func origin(of identifier: Data) throws -> Origin? {
        try index.item(for: identifier).flatMap { Origin($0.context) }
    }

    /// The absolute path of the file that an object came from, or the sign for standard input; nil
    /// for a row of a table.
    func source(of identifier: Data, _ origin: Origin) -> Path? {
        if origin.isRow { return nil }
        if origin.source == .standardInput { return .standardInput }
        return settings.rootPath.appending(origin.source ?? Path(bytes: identifier))
    }

    /// Removes objects, and waits for what is rewritten because of that.
    func remove(_ identifiers: [Data]) async throws {
        let report = try await index.removeObjects(withIdentifiers: identifiers)
        if let failure = report.failures.first { throw failure.error }
        await index.waitForMaintenance()
    }
}
