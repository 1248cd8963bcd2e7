/// Finds terms that are near enough to a word.
extension VocabularyPart {
    /// Calls `body` with each such term, the edits between them, and its number, in order.
    ///
    /// Complexity: as that for other matchers; where the matcher names cases, logarithmic in the number of terms for each character that stands
    /// where the edit may be, and linear in the terms with the first half of the word.
    func forEachTerm(
        near matcher: FuzzyMatcher,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int, _ number: Int) throws -> Void
    ) rethrows {
        guard let cases = matcher.cases else {
            return try forEachTerm(matching: matcher, body)
        }
        let candidates = places(of: cases)
        try bytes.withUnsafeBufferPointer { bytes in
            for place in candidates {
                let term = UnsafeBufferPointer(rebasing: bytes[range(of: place)])
                if let edits = matcher.matches(term) { try body(term, edits, place) }
            }
        }
    }

    /// The places of the terms that may be those of some cases, ascending.
    private func places(of cases: FuzzyCases) -> [Int] {
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            for edit in cases.edits {
                // Each beginning is that of the next one, too.
                let range = edit.beginning.withUnsafeBufferPointer { places(beginningWith: $0) }
                // Few are compared sooner than they are searched.
                if range.count < Self.fewTerms { return found.append(contentsOf: range) }
                forEachCharacter(behind: edit.beginning.count, in: range, bytes) { places, count in
                    let replaced = place(ofEnd: edit.replacedEnd, behind: count, in: places, bytes)
                    if let replaced { found.append(replaced) }
                    let inserted = place(ofEnd: edit.insertedEnd, behind: count, in: places, bytes)
                    if let inserted { found.append(inserted) }
                }
                for term in edit.named {
                    if let number = term.withUnsafeBufferPointer({ number(of: $0) }) {
                        found.append(number)
                    }
                }
            }
            found += cases.beginning.withUnsafeBufferPointer { places(beginningWith: $0) }
        }
        guard found.count > 1 else { return found }
        found.sort()
        var last = -1
        return found.filter { place in
            defer { last = place }
            return place != last
        }
    }

    private static let fewTerms = 32

    /// Calls `body` with the places of the terms that have a character behind the first `count` bytes, which all terms of a range share, and where it ends,
    /// once for each such character.
    @inline(__always)
    private func forEachCharacter(
        behind count: Int, in range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (_ places: Range<Int>, _ end: Int) -> Void
    ) {
        var place = range.lowerBound
        while place < range.upperBound {
            let term = self.range(of: place)
            guard term.count > count else {
                place += 1
                continue
            }
            let end = min(count + Self.width(bytes[term.lowerBound + count]), term.count)
            func isAnother(_ other: Int) -> Bool {
                let start = Int(starts[other])
                guard start + end <= bytes.count else { return true }
                // Neighbours share what stands before it; a term that is shorter ends with a zero byte.
                for offset in count..<end
                where bytes[start + offset] != bytes[term.lowerBound + offset] { return true }
                return false
            }
            // Often all of a part have the same.
            let last = range.upperBound - 1
            let next =
                isAnother(last)
                ? ((place + 1)..<last).firstPlace(where: isAnother) : range.upperBound
            body(place..<next, end)
            place = next
        }
    }

    /// How many bytes a character has that begins with this one.
    @inline(__always)
    private static func width(_ first: UInt8) -> Int {
        first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    /// The place of the term that is `end` behind the first `count` bytes, which all terms of a range share; nil where none is.
    @inline(__always)
    private func place(
        ofEnd end: [UInt8], behind count: Int, in range: Range<Int>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        end.withUnsafeBufferPointer { end in
            func order(_ place: Int) -> Int {
                var offset = Int(starts[place]) + count
                // Terms of a damaged part may not share what they should, and be shorter.
                guard offset < bytes.count else { return -1 }
                for byte in end {
                    // The zero byte behind a term comes before all of them.
                    if bytes[offset] != byte { return bytes[offset] < byte ? -1 : 1 }
                    offset += 1
                }
                return bytes[offset] == 0 ? 0 : 1
            }
            // Most ranges end before it, or begin behind it.
            guard let last = range.last, order(last) >= 0, order(range.lowerBound) <= 0 else {
                return nil
            }
            let place = (range.lowerBound..<last).firstPlace { order($0) >= 0 }
            return order(place) == 0 ? place : nil
        }
    }
}
