import Foundation
import TextSearch

/// Finds the objects whose file or line is gone: those that came from one of the given paths, and
/// were not met when these were read.
///
/// A source that could not be read to its end loses nothing: a broken line may hold any identifier.
struct Vanished {
    let given: [Path]
    let folder: IndexFolder
    let tally: IndexTally

    /// The identifiers to remove.
    func identifiers() throws -> [Data] {
        var unmet: [Data] = []
        try folder.index.forEachIdentifier { identifier in
            if !tally.hasMet(identifier) { unmet.append(identifier) }
            return true
        }
        let incomplete = tally.incomplete
        return try unmet.filter { identifier in
            guard let origin = try folder.origin(of: identifier),
                let path = folder.source(of: identifier, origin)
            else { return false }
            if origin.source != nil { return given.contains(path) && !incomplete.contains(path) }
            // A file that is there may have been named by itself: folders are read by suffix.
            return Entry(path)?.isFile != true
                && given.contains { $0.contains(path) }
                && !incomplete.contains { $0.contains(path) }
        }
    }
}
