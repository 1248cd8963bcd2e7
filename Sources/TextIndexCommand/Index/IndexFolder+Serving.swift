import Foundation
package import TextIndexInterface
import TextSearch

extension IndexFolder {
    /// What the server has to know of the index.
    ///
    /// - Parameter textLength: how many bytes of an object's text are read to show it; none of a
    ///   longer one.
    /// - Returns: The index, and what the server has to know of it.
    func served(textLength: Int) -> ServedIndex<Record> {
        let source = SourceText(settings: settings, longest: textLength)
        return ServedIndex(
            index, attributes: settings.attributeChoices.map(\.name),
            ranking: settings.weight == nil ? .relevance : .combined,
            title: { Origin($0.context)?.title }
        ) { item in
            switch source.text(of: item) {
            case .strings(let strings), .beginnings(let strings): strings
            case .unavailable: nil
            }
        }
    }
}

extension IndexSource where Object == Record {
    /// The index of a folder, or what was published to it.
    ///
    /// - Throws: ``CommandError`` when there is none.
    package init(name: String, path: String, textLength: Int, searchMemory: Int, cacheSize: Int)
        throws
    {
        let place = try IndexPlace(existing: path)
        let url = place.url
        var newest: (@Sendable () throws -> Int?)?
        if place.isPublished {
            newest = { try TextIndex<Record>.newestGeneration(published: url) }
        }
        self.init(
            name: name, newest: newest,
            open: {
                try IndexFolder(existing: path, searchMemory: searchMemory, cacheSize: cacheSize)
                    .served(textLength: textLength)
            })
    }
}
