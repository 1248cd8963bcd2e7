import Foundation

/// Okapi BM25 over fields (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields").
struct BM25: Sendable {
    /// How soon more occurrences stop counting.
    var k1 = 1.2
    /// How much the length of a string counts.
    var b = 0.75

    /// The weight of a word that `documentFrequency` of `documentCount` objects hold; never negative.
    func idf(documentFrequency: Int, documentCount: Int) -> Double {
        let n = Double(documentCount)
        let df = Double(min(documentFrequency, documentCount))
        return log(1 + (n - df + 0.5) / (df + 0.5))
    }

    /// The share of a string in the frequency of a word.
    func normalized(frequency: Int, length: Double, averageLength: Double) -> Double {
        let relative = averageLength > 0 ? length / averageLength : 1
        return Double(frequency) / (1 - b + b * relative)
    }

    /// The score of a word with frequency `tf`, normalised and summed over the strings.
    func score(idf: Double, frequency tf: Double) -> Double { idf * tf * (k1 + 1) / (tf + k1) }
}

/// The lengths of strings in one snapshot, and their averages over living documents.
struct LengthStatistics {
    private let snapshot: Snapshot
    private let columns: [LengthColumn]
    /// The average length of each string.
    private let averages: [Double]

    init(_ snapshot: Snapshot) throws {
        self.snapshot = snapshot
        columns = try snapshot.flushed.map { try $0.lengths() }
        var totals: [Double] = []
        var counts: [Double] = []
        func add(_ lengths: some Sequence<UInt32>) {
            for (index, length) in lengths.enumerated() {
                if index == totals.count {
                    totals.append(0)
                    counts.append(0)
                }
                totals[index] += Double(length)
                counts[index] += 1
            }
        }
        for (segment, column) in zip(snapshot.flushed, columns) {
            let first = segment.manifest.firstDocument
            for document in 0..<column.count
            where !snapshot.dead.contains(first + UInt32(document)) {
                add(column.of(document))
            }
        }
        for part in snapshot.memory {
            for document in 0..<part.segment.documentCount
            where !snapshot.dead.contains(part.firstDocument + UInt32(document)) {
                add(part.segment.lengths(of: document))
            }
        }
        averages = zip(totals, counts).map { $0 / max($1, 1) }
    }

    func average(of string: Int) -> Double { string < averages.count ? averages[string] : 0 }

    /// The length of a document's string, in words.
    func length(of document: UInt32, string: Int) -> Int {
        for (segment, column) in zip(snapshot.flushed, columns)
        where segment.manifest.documents.contains(document) {
            let lengths = column.of(Int(document - segment.manifest.firstDocument))
            return string < lengths.count ? Int(lengths[lengths.startIndex + string]) : 0
        }
        for part in snapshot.memory where part.documents.contains(document) {
            let lengths = part.segment.lengths(of: Int(document - part.firstDocument))
            return string < lengths.count ? Int(lengths[string]) : 0
        }
        return 0
    }
}

extension MemorySegment {
    /// The words in each string of a document.
    func lengths(of document: Int) -> [UInt32] {
        let first = Int(documents.firstString[document])
        let end =
            document + 1 < documents.count
            ? Int(documents.firstString[document + 1]) : strings.count
        return (first..<end).map { strings.length[$0] }
    }
}
