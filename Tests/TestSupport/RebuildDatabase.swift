import Foundation

@testable import TextSearch

/// Objects, named texts, in a database that an index asks for them.
final class RebuildDatabase: Sendable {
    struct Broken: Error {}

    let texts: Shared<[String: String]>
    /// Called with each name that the getter is asked for.
    let onGet = Shared<@Sendable (String) throws -> Void>({ _ in })
    let asked = Shared<[String]>([])

    init(_ texts: [String: String]) { self.texts = Shared(texts) }

    func open(
        _ directory: URL, _ configuration: TextIndexConfiguration = .init()
    ) throws -> TextIndex<String> {
        let index = try TextIndex<String>(at: directory, configuration: configuration)
        index.identifier = { Data($0.utf8) }
        index.indexer = { [texts] name, _ in
            texts.current[name].map { IndexedObject(strings: [$0]) }
        }
        index.objectGetter = { [texts, onGet, asked] data in
            let name = String(decoding: data, as: UTF8.self)
            asked.change { $0.append(name) }
            try onGet.current(name)
            return texts.current[name] == nil ? nil : name
        }
        return index
    }

    /// A configuration with these stop words, opened for a rebuild if there were others.
    static func settings(
        _ stopWords: StopWords, from previous: StopWords? = nil, reopens: Bool = false
    ) -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.indexesStopWords = false
        if let previous {
            configuration.stopWords = previous
            configuration.previousAnalysis = .init(configuration)
        }
        configuration.stopWords = stopWords
        configuration.reopensForRebuild = reopens || previous != nil
        configuration.largestLastPass = 2
        configuration.bufferSize = 1 << 16
        return configuration
    }
}

extension TextIndex where Object == String {
    /// The names of the objects that a keyword finds.
    func names(_ keyword: String) throws -> [String] {
        try searchResults(forKeyword: keyword).map(\.id).sorted()
    }
}
