/// Strings that are a text as a whole; see ``Query/exactly(_:field:)``.
extension QueryEvaluator {
    /// The strings in which the words of a text stand one after the other from their beginning to
    /// their end.
    ///
    /// Complexity: that of the phrase; each place where it stands is looked at once more.
    mutating func exactly(_ text: String, in string: UInt32?) throws -> QueryMatches? {
        let readings = readings(of: text, lastIsPrefix: false, in: string)
        guard !readings.isEmpty else { return nil }
        let lengths = try snapshot.lengthStatistics()
        var found = FoundGroups(keepsHits: wanted.keepsHits, clock)
        for (words, strings) in readings {
            let first = words.words[0].position
            var walk = lengths.makeWalk()
            var last: UInt32 = 0
            found.isWanted = { hit in
                guard Int(hit.position) == first else { return false }
                // Slice by slice, and within one document by document.
                if hit.document < last { walk = lengths.makeWalk() }
                last = hit.document
                return walk.length(of: hit.document, string: Int(hit.string)) == words.length
            }
            try addPhrase(
                words.words.map { (offset: $0.position, pattern: $0.pattern) }, slop: 0,
                in: strings, to: &found)
        }
        return try scored(found)
    }
}
