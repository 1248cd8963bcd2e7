import Foundation
package import TextIndexInterface
import TextSearch

extension IndexFolder {
    /// What the server has to know of the index.
    var served: ServedIndex<Record> {
        let source = SourceText(settings: settings)
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
    package init(name: String, path: String) throws {
        let place = try IndexPlace(existing: path)
        let url = place.url
        var newest: (@Sendable () throws -> Int?)?
        if place.isPublished {
            newest = { try TextIndex<Record>.newestGeneration(published: url) }
        }
        self.init(name: name, newest: newest, open: { try IndexFolder(existing: path).served })
    }
}
