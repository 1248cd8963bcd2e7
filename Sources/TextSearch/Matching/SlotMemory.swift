/// Room for a sum for each string of documents that have `width` each.
///
/// It lies string by string: most words stand in one of them, so that what is added to lies in half of the memory or less, and whoever looks for the best documents passes over the rest.
struct SlotMemory: ~Copyable, Sendable {
    /// How many documents there are; 0 where there is no room.
    let documentCount: Int
    let width: Int
    /// A sum for each document, string by string.
    private var counts = Buffer<UInt32>()
    /// A bit for each document, set where something was added, string by string.
    private var touched = Buffer<UInt64>()

    /// Room for nothing.
    init() {
        documentCount = 0
        width = 1
    }

    init(documentCount: Int, width: Int) {
        self.documentCount = documentCount
        self.width = width
        counts = Buffer(repeating: 0, count: documentCount * width)
        touched = Buffer(repeating: 0, count: Self.wordCount(documentCount) * width)
    }

    private static func wordCount(_ documentCount: Int) -> Int { documentCount / 64 + 1 }

    var slotCount: Int { documentCount * width }

    /// Adds a number for a string of a document. There must be such a string.
    @inline(__always)
    mutating func add(_ document: UInt32, string: Int, _ count: UInt32) {
        counts[string &* documentCount &+ Int(document)] &+= count
        let first = string &* Self.wordCount(documentCount)
        touched[first &+ Int(document >> 6)] |= 1 &<< UInt64(document & 63)
    }

    /// Adds numbers for a string of ascending documents. There must be such a string of the last one.
    @inline(__always)
    mutating func add(
        _ added: UnsafeBufferPointer<UInt32>, to documents: UnsafeBufferPointer<UInt32>,
        string: Int
    ) {
        let (start, first) = (
            string &* documentCount, string &* Self.wordCount(documentCount)
        )
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                let counts = UnsafeMutableBufferPointer(rebasing: counts[start...])
                let touched = UnsafeMutableBufferPointer(rebasing: touched[first...])
                // Neighbours share a word of bits, and each would wait for the one before: those half of them apart take turns.
                let half = documents.count / 2
                for place in 0..<half {
                    Self.add(added, documents, place, counts, touched)
                    Self.add(added, documents, place &+ half, counts, touched)
                }
                if documents.count > 2 &* half {
                    Self.add(added, documents, 2 &* half, counts, touched)
                }
            }
        }
    }

    @inline(__always)
    private static func add(
        _ added: UnsafeBufferPointer<UInt32>, _ documents: UnsafeBufferPointer<UInt32>,
        _ place: Int, _ counts: UnsafeMutableBufferPointer<UInt32>,
        _ touched: UnsafeMutableBufferPointer<UInt64>
    ) {
        let document = documents[place]
        counts[Int(document)] &+= added[place]
        touched[Int(document >> 6)] |= 1 &<< UInt64(document & 63)
    }

    /// Takes away all that was added.
    ///
    /// Complexity: linear in the number of slots, but a small part of it where few of them were used.
    mutating func clear() {
        let wordCount = Self.wordCount(documentCount)
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                for word in touched.indices where touched[word] != 0 {
                    touched[word] = 0
                    let (string, place) = word.quotientAndRemainder(dividingBy: wordCount)
                    let first = place << 6
                    let range = first..<min(first &+ 64, documentCount)
                    let start = string &* documentCount
                    counts[(start &+ range.lowerBound)..<(start &+ range.upperBound)]
                        .update(repeating: 0)
                }
            }
        }
    }

    /// Lends all sums.
    @inline(__always)
    borrowing func withSums(_ body: (Sums) -> Void) {
        counts.withElements { counts in
            touched.withElements { touched in
                body(
                    Sums(
                        counts: counts, touched: touched, width: width,
                        documentCount: documentCount,
                        wordCount: Self.wordCount(documentCount)))
            }
        }
    }

    /// What was added up, of 64 documents each word.
    ///
    /// **Lifetime**: lent.
    struct Sums {
        let counts: UnsafeBufferPointer<UInt32>
        let touched: UnsafeBufferPointer<UInt64>
        let width: Int
        let documentCount: Int
        let wordCount: Int

        /// The sum of a document's string.
        @inline(__always)
        func count(_ document: Int, string: Int) -> UInt32 {
            counts[string &* documentCount &+ document]
        }

        /// A bit for each document of a word, set where something was added to the string.
        @inline(__always)
        func documents(_ word: Int, string: Int) -> UInt64 {
            touched[string &* wordCount &+ word]
        }

        /// A bit for each document of a word, set where something was added to one of its strings.
        @inline(__always)
        func documents(_ word: Int) -> UInt64 {
            var documents = touched[word]
            for string in 1..<max(width, 1) { documents |= self.documents(word, string: string) }
            return documents
        }

        /// Calls `body` with each document of a word whose bit is set.
        @inline(__always)
        func forEachDocument(of bits: UInt64, in word: Int, _ body: (Int) -> Void) {
            var rest = bits
            while rest != 0 {
                body(word << 6 | rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }
}
