import Foundation
import TextSearch

/// How the hits of a query changed, for machines: one line of JSON.
struct WatchReport: Encodable {
    struct Place: Encodable {
        let identifier: String
        /// The identifier's bytes in Base64, when they are not text.
        let identifierBytes: String?
        /// In the hits of now, where it is among them.
        let rank: Int?
        /// In the hits before.
        let oldRank: Int

        init(_ identifier: Data, rank: Int?, oldRank: Int) {
            let text = String(validating: identifier, as: UTF8.self)
            self.identifier = text ?? String(decoding: identifier, as: UTF8.self)
            identifierBytes = text == nil ? identifier.base64EncodedString() : nil
            self.rank = rank
            self.oldRank = oldRank
        }
    }

    let generation: Int?
    let total: Int
    let removed: [Place]
    let moved: [Place]
    let inserted: [SearchReport.Item]
    let updated: [SearchReport.Item]

    init(
        _ difference: LiveDifference<Record>, generation: Int?, fields: [String],
        hit: (SearchResultItem<Record>) -> Hit
    ) {
        self.generation = generation
        total = difference.totalCount.value
        removed = difference.removed.map {
            Place($0.identifier, rank: nil, oldRank: $0.rank)
        }
        moved = difference.moved.map {
            Place($0.item.identifier, rank: $0.item.rank, oldRank: $0.oldRank)
        }
        inserted = difference.inserted.map { SearchReport.Item(hit($0), fields: fields) }
        updated = difference.updated.map { SearchReport.Item(hit($0), fields: fields) }
    }
}

/// How the hits of a query changed, for people.
struct WatchPrinter {
    let style: Style
    let hits: HitPrinter

    /// A heading, and a line for each change; new hits and those indexed anew with their text.
    func text(
        _ difference: LiveDifference<Record>, generation: Int?,
        hit: (SearchResultItem<Record>) -> Hit
    ) -> String {
        let total = Format.count(difference.totalCount.value, "hit")
        var text = style.faint("generation \(generation ?? 0): \(total)") + "\n"
        for removal in difference.removed {
            text += "- \(removal.rank + 1). \(name(removal.identifier))\n"
        }
        for move in difference.moved {
            let place = "> \(move.item.rank + 1). \(name(move.item.identifier))"
            text += place + "  " + style.faint("was \(move.oldRank + 1)") + "\n"
        }
        for item in difference.inserted { text += "+ " + hits.text(hit(item)) }
        for item in difference.updated { text += "~ " + hits.text(hit(item)) }
        return text
    }

    private func name(_ identifier: Data) -> String {
        style.heading(Printable.line(String(decoding: identifier, as: UTF8.self)))
    }
}
