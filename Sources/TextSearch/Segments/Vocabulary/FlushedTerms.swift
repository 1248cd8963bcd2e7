/// The terms of flushed segments in one order.
enum FlushedTerms {
    /// One of several vocabularies that hold a term.
    struct Holder: BitwiseCopyable {
        /// Its place among them.
        var segment: Int
        var place: TermPlace
    }

    /// Calls `body` with each distinct term and the segments that hold it, in term order.
    static func forEach(
        in segments: [FlushedSegment],
        _ body: (UnsafeBufferPointer<UInt8>, [Holder]) throws -> Void
    ) throws {
        try forEach(in: try segments.map { try $0.vocabulary() }, body)
    }

    /// Calls `body` with each distinct term and the vocabularies that hold it, in term order.
    static func forEach(
        in vocabularies: [[VocabularyPart]],
        _ body: (UnsafeBufferPointer<UInt8>, [Holder]) throws -> Void
    ) throws {
        var walks = vocabularies.map { Walk($0) }
        var holders: [Holder] = []
        while true {
            holders.removeAll(keepingCapacity: true)
            for index in walks.indices where !walks[index].isAtEnd {
                if let best = holders.first {
                    let order = walks[index].withTerm { a in
                        walks[best.segment].withTerm { TermOrder.compare(a, $0) }
                    }
                    if order > 0 { continue }
                    if order < 0 { holders.removeAll(keepingCapacity: true) }
                }
                holders.append(Holder(segment: index, place: walks[index].place))
            }
            guard let first = holders.first else { return }
            try walks[first.segment].withTerm { try body($0, holders) }
            for holder in holders { walks[holder.segment].advance() }
        }
    }

    struct Walk {
        private let parts: [VocabularyPart]
        private var part = 0
        private var term = 0

        init(_ parts: [VocabularyPart]) {
            self.parts = parts
            leaveEmptyParts()
        }

        /// Begins with the first term that does not come before `bytes`.
        ///
        /// Complexity: logarithmic in the number of terms.
        init(_ parts: [VocabularyPart], from bytes: UnsafeBufferPointer<UInt8>) {
            self.parts = parts
            var high = parts.count
            while part + 1 < high {
                let middle = (part + high) / 2
                if parts[middle].begins(notBehind: bytes) { part = middle } else { high = middle }
            }
            if part < parts.count { term = parts[part].place(of: bytes) }
            leaveEmptyParts()
        }

        var isAtEnd: Bool { part == parts.count }

        /// Where the term stands.
        var place: TermPlace { TermPlace(part: UInt32(part), term: UInt32(term)) }

        func withTerm<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            let range = parts[part].range(of: term)
            return try parts[part].bytes.withUnsafeBufferPointer {
                try body(UnsafeBufferPointer(rebasing: $0[range]))
            }
        }

        mutating func advance() {
            term += 1
            leaveEmptyParts()
        }

        private mutating func leaveEmptyParts() {
            while part < parts.count, term >= parts[part].termCount {
                part += 1
                term = 0
            }
        }
    }
}
