import Foundation

@testable import TestSupport
@testable import TextSearch

/// Opens an index of notes.
func openPlainNotes(
    at directory: URL, _ notes: [PlainNote] = [],
    _ configure: (inout TextIndexConfiguration) -> Void = { _ in }
) throws -> TextIndex<PlainNote> {
    var configuration = TextIndexConfiguration()
    configure(&configuration)
    let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
    index.identifier = { $0.identifier }
    index.indexer = { note, _ in
        IndexedObject(strings: note.strings, weight: note.weight, context: note.context)
    }
    for note in notes { index.indexObject(note) }
    index.indexingQueue.waitUntilAllOperationsAreFinished()
    return index
}

/// What an index is to remember of engagements, as a plain table.
struct PlainLearning {
    struct Pair: Hashable {
        var query: String
        var id: String
    }

    var settings = LearningSettings()
    private(set) var known: [Pair: StoredEngagement] = [:]

    mutating func record(_ id: String, _ query: String, _ strength: Double, _ time: Double) {
        let pair = Pair(query: query, id: id)
        var sum = StoredEngagement(strength: strength, time: time)
        if let old = known[pair] {
            let latest = max(old.time, time)
            sum.strength =
                left(of: old, at: latest)
                + left(of: StoredEngagement(strength: strength, time: time), at: latest)
            sum.time = latest
        }
        known[pair] = sum
        let rivals = known.filter { $0.key.query == query }
        if rivals.count > settings.maximumObjects {
            let now = rivals.values.map(\.time).max() ?? 0
            let weakest = rivals.filter { $0.key.id != id }.min {
                (left(of: $0.value, at: now), $0.key.id) < (left(of: $1.value, at: now), $1.key.id)
            }
            if let weakest { known[weakest.key] = nil }
        }
        let queries = known.filter { $0.key.id == id }
        if queries.count > settings.maximumQueries {
            let oldest = queries.filter { $0.key.query != query }.min {
                ($0.value.time, $0.key.query) < ($1.value.time, $1.key.query)
            }
            if let oldest { known[oldest.key] = nil }
        }
    }

    func left(of engagement: StoredEngagement, at time: Double) -> Double {
        let age = max(time - engagement.time, 0)
        return engagement.strength * exp2(-age / settings.halfLife)
    }

    mutating func forget(where isForgotten: (Pair, StoredEngagement) -> Bool) {
        known = known.filter { !isForgotten($0.key, $0.value) }
    }

    /// As the index lists them.
    func list(where isWanted: (Pair) -> Bool = { _ in true }) -> [Engagement] {
        known.filter { isWanted($0.key) }
            .sorted { ($0.key.query, $0.key.id) < ($1.key.query, $1.key.id) }
            .map {
                Engagement(
                    identifier: Data($0.key.id.utf8), query: $0.key.query,
                    strength: $0.value.strength,
                    date: Date(timeIntervalSinceReferenceDate: $0.value.time))
            }
    }

    /// What the relevance of an object is multiplied by.
    func factor(_ id: String, _ query: String?, _ boost: EngagementBoost) -> Double {
        guard let query, let engagement = known[Pair(query: query, id: id)] else { return 1 }
        let now = boost.date?.timeIntervalSinceReferenceDate ?? 0
        let age = max(now - engagement.time, 0)
        let strength = engagement.strength * exp2(-age / (boost.halfLife ?? settings.halfLife))
        return min(1 + boost.factor * strength, boost.maximum)
    }
}
