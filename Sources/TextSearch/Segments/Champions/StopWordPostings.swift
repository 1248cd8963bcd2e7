/// The postings of the terms that hold stop words, put aside as a segment is written.
struct StopWordPostings: Sendable {
    private let infixes: StopWordInfixes
    /// Postings, one behind the other, and where those lie that belong to each stop word.
    private var bytes: [UInt8] = []
    private var places: [[Place]]
    private var byteCount = 0
    /// More are not kept: then no lists are made.
    private let mostBytes: Int
    /// False where there are too many.
    private(set) var isWhole = true

    private struct Place: Equatable {
        var start: UInt32
        var end: UInt32
    }

    init(_ infixes: StopWordInfixes, mostBytes: Int = 32 << 20) {
        self.infixes = infixes
        self.mostBytes = mostBytes
        places = Array(repeating: [], count: infixes.words.count)
    }

    /// How many terms hold a stop word.
    func termCount(of word: Int) -> Int { places[word].count }

    /// Calls `body` with the postings of each term that holds a stop word.
    func forEach(of word: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            for place in places[word] {
                try body(
                    UnsafeRawBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)]))
            }
        }
    }

    @inline(__always)
    mutating func take(
        _ term: UnsafeBufferPointer<UInt8>, _ chunk: borrowing Buffer<UInt8>
    ) {
        guard isWhole else { return }
        var place: Place?
        infixes.forEach(in: term) { number in
            place = place ?? keep(chunk)
            // It may stand in the term twice.
            guard let place, places[number].last != place else { return }
            places[number].append(place)
            byteCount += MemoryLayout<Place>.stride
        }
    }

    /// Nil where there is no room.
    private mutating func keep(_ chunk: borrowing Buffer<UInt8>) -> Place? {
        byteCount += chunk.count
        guard byteCount <= mostBytes else {
            isWhole = false
            bytes = []
            places = Array(repeating: [], count: places.count)
            return nil
        }
        let start = UInt32(truncatingIfNeeded: bytes.count)
        chunk.withElements { bytes.append(contentsOf: $0) }
        return Place(start: start, end: UInt32(truncatingIfNeeded: bytes.count))
    }
}
