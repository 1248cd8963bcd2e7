/// Room for a sum for each string of documents that have `width` each.
///
/// Of 64 documents those of the first string come first, then those of the second: where a word
/// stands in one of two strings alone, as most do, what is added to lies in half of the memory, and
/// whoever looks for the best documents passes over the rest. A group of 64 sums has a word of
/// bits.
struct SlotMemory: ~Copyable, Sendable {
    /// How many documents there are; 0 where there is no room.
    let documentCount: Int
    let width: Int
    private var counts = Buffer<UInt32>()
    /// A bit for each sum, set where something was added.
    private var touched = Buffer<UInt64>()

    /// Room for nothing.
    init() {
        documentCount = 0
        width = 1
    }

    init(documentCount: Int, width: Int) {
        self.documentCount = documentCount
        self.width = width
        let groupCount = (documentCount + 63) / 64 * width
        counts = Buffer(repeating: 0, count: groupCount * 64)
        touched = Buffer(repeating: 0, count: groupCount)
    }

    /// The bytes of memory held.
    var byteCount: Int { counts.byteCount + touched.byteCount }

    /// How many sums there is room for.
    var slotCount: Int { counts.count }

    /// Where the sum of a document's string is.
    @inline(__always)
    static func place(_ document: Int, string: Int, width: Int) -> Int {
        // 64 for each group of the same documents before, beside what the number of the document
        // has.
        document &+ (document & ~63) &* (width &- 1) &+ string << 6
    }

    /// Adds a number for a string of a document. There must be such a string.
    @inline(__always)
    mutating func add(_ document: UInt32, string: Int, _ count: UInt32) {
        let place = Self.place(Int(document), string: string, width: width)
        counts[place] &+= count
        touched[place >> 6] |= 1 &<< UInt64(place & 63)
    }

    /// Adds numbers for a string of ascending documents. There must be such a string of the last
    /// one.
    @inline(__always)
    mutating func add(
        _ added: UnsafeBufferPointer<UInt32>, to documents: UnsafeBufferPointer<UInt32>,
        string: Int
    ) {
        let width = width
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                func add(_ number: Int) {
                    let place = Self.place(Int(documents[number]), string: string, width: width)
                    counts[place] &+= added[number]
                    touched[place >> 6] |= 1 &<< UInt64(place & 63)
                }
                // Neighbours share a word of bits, and each would wait for the one before: those
                // half of them apart take turns.
                let half = documents.count / 2
                for number in 0..<half {
                    add(number)
                    add(number &+ half)
                }
                if documents.count > 2 &* half { add(2 &* half) }
            }
        }
    }

    /// Takes away all that was added.
    ///
    /// Complexity: linear in the number of slots, but a small part of it where few of them were
    /// used.
    mutating func clear() {
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                for group in touched.indices where touched[group] != 0 {
                    touched[group] = 0
                    counts[(group << 6)..<(group << 6 &+ 64)].update(repeating: 0)
                }
            }
        }
    }

    /// Lends all sums.
    @inline(__always)
    borrowing func withSums(_ body: (Sums) -> Void) {
        counts.withElements { counts in
            touched.withElements { body(Sums(counts: counts, touched: $0, width: width)) }
        }
    }

    /// What was added up.
    ///
    /// **Lifetime**: lent.
    struct Sums {
        let counts: UnsafeBufferPointer<UInt32>
        fileprivate let touched: UnsafeBufferPointer<UInt64>
        let width: Int

        /// How many times 64 documents there are, the last ones fewer.
        var wordCount: Int { touched.count / width }

        /// How many slots something was added to.
        var touchedCount: Int { touched.reduce(0) { $0 &+ $1.nonzeroBitCount } }

        /// The sum of a document's string.
        @inline(__always)
        func count(_ document: Int, string: Int) -> UInt32 {
            counts[SlotMemory.place(document, string: string, width: width)]
        }

        /// A bit for each document of a word, set where something was added to the string.
        @inline(__always)
        func documents(_ word: Int, string: Int) -> UInt64 { touched[word &* width &+ string] }

        /// A bit for each document of a word, set where something was added to one of its strings.
        @inline(__always)
        func documents(_ word: Int) -> UInt64 {
            var documents: UInt64 = 0
            for string in 0..<width { documents |= self.documents(word, string: string) }
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
