/// One round of a search over indexes that are searched elsewhere: what this index tells, and what
/// is known of all by now.
///
/// All indexes do the same work in the same order, so evaluations and counts have places and no
/// names.
final class StatisticsRound {
    /// What all indexes told in the last round; nil in the first.
    let given: QueryStatistics?
    /// What this one tells.
    private(set) var found: QueryStatistics
    let words: WordExchange

    init(given: QueryStatistics?, own: QueryStatistics) {
        self.given = given
        found = own
        words = WordExchange(given: given?.words)
    }

    /// What is known of the next evaluation, if that goes the same way.
    func known(_ way: QueryStatistics.Reading.Way) -> QueryStatistics.Reading? {
        let place = found.readings.count
        guard let given, place < given.readings.count, given.readings[place].way == way else {
            return nil
        }
        return given.readings[place]
    }

    /// Tells what an evaluation found out.
    func note(_ reading: QueryStatistics.Reading) { found.readings.append(reading) }

    /// How many objects all indexes have found, of which `own` are in this one.
    ///
    /// Throws `RoundEnded` where that is not known yet; if it is at least `enough`, the search
    /// needs no other round.
    func total(_ own: Int, enough: Int? = nil) throws -> Int {
        let place = found.counts.count
        found.counts.append(own)
        guard let given, place < given.counts.count else {
            found.enough = enough
            throw RoundEnded()
        }
        return given.counts[place]
    }

    /// Tells how many objects this index has found, where no other step depends on how many all
    /// have.
    func tell(_ own: Int) { found.counts.append(own) }

    /// Ends the round where words are not known of all indexes yet.
    func checkWords() throws {
        if words.lacksWords { throw RoundEnded() }
    }

    /// Notes that nothing else is asked for.
    func end() { found.isEnded = true }

    /// What this index tells.
    var statistics: QueryStatistics {
        var told = found
        told.words = words.found
        return told
    }
}

/// Thrown where a search cannot go on before it knows what other indexes found.
struct RoundEnded: Error {}
