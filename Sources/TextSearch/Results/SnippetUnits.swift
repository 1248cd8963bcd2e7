/// What the windows of snippets are made of: the words of a string with the signs at them, none overlapping another.
struct SnippetUnits {
    private(set) var ranges: [Range<String.Index>] = []
    /// The places before the units, in what the length of snippets counts: of the start and of the end of each.
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    let length: Int

    /// Complexity: linear in the string.
    init(_ string: String, _ matches: [LocatedMatch], _ length: SnippetLength) {
        switch length {
        case .words(let count): self.length = max(count, 1)
        case .characters(let count): self.length = max(count, 1)
        }
        addWords(of: string)
        join(matches.map(\.highlight.range))
        attachSigns(in: string)
        switch length {
        case .words:
            starts = Array(ranges.indices)
            ends = starts.map { $0 + 1 }
        case .characters: measure(string, matches.map(\.highlight.range))
        }
    }

    private mutating func addWords(of string: String) {
        var bytes = string
        var words: [Range<Int>] = []
        bytes.withUTF8 { bytes in
            UnicodeTokenizer().forEachWord(inBytes: bytes) { range, _ in words.append(range) }
        }
        var place = string.startIndex
        var offset = 0
        for word in words {
            let lower = string.utf8.index(place, offsetBy: word.lowerBound - offset)
            let upper = string.utf8.index(lower, offsetBy: word.count)
            (place, offset) = (lower, word.lowerBound)
            append(string.wholeCharacters(lower..<upper))
        }
    }

    /// Pairs of characters overlap: each goes until the next begins.
    private mutating func append(_ range: Range<String.Index>) {
        guard let last = ranges.last, range.lowerBound < last.upperBound else {
            ranges.append(range)
            return
        }
        if range.lowerBound > last.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.lowerBound
            ranges.append(range)
        } else if range.upperBound > last.upperBound {
            ranges[ranges.count - 1] = range
        }
    }

    /// Widens words to what matches reach beyond them, and adds matches that have no words.
    private mutating func join(_ matches: [Range<String.Index>]) {
        var joined: [Range<String.Index>] = []
        var word = 0
        for match in matches {
            while word < ranges.count, ranges[word].upperBound <= match.lowerBound {
                joined.append(ranges[word])
                word += 1
            }
            if let last = joined.last, last.upperBound > match.lowerBound {
                // A word that holds a match before this one as well.
                joined[joined.count - 1] =
                    last.lowerBound..<max(last.upperBound, match.upperBound)
                continue
            }
            var first = true
            while word < ranges.count, ranges[word].lowerBound < match.upperBound {
                let range = ranges[word]
                let lower =
                    first ? min(range.lowerBound, match.lowerBound) : range.lowerBound
                joined.append(lower..<range.upperBound)
                first = false
                word += 1
            }
            if first {
                joined.append(match)
            } else if let last = joined.last, last.upperBound < match.upperBound {
                joined[joined.count - 1] = last.lowerBound..<match.upperBound
            }
        }
        ranges = joined + ranges[word...]
    }

    /// Signs that no space parts from a word belong to it.
    private mutating func attachSigns(in string: String) {
        var place = string.startIndex
        for number in 0...ranges.count {
            let end = number < ranges.count ? ranges[number].lowerBound : string.endIndex
            let gap = string[min(place, end)..<end]
            // One space, the usual case, is not worth asking Unicode about.
            let isSpace = gap.utf8.count == 1 && gap.utf8.first == UInt8(ascii: " ")
            let space = isSpace ? gap.startIndex : gap.firstIndex(where: \.isWhitespace)
            if number > 0 {
                ranges[number - 1] = ranges[number - 1].lowerBound..<(space ?? end)
            }
            if number < ranges.count {
                place = ranges[number].upperBound
                let last =
                    isSpace
                    ? end : gap.lastIndex(where: \.isWhitespace).map { string.index(after: $0) }
                if number == 0 || last != nil {
                    ranges[number] = (last ?? string.startIndex)..<place
                }
            }
        }
    }

    /// Counts characters, and cuts units that are longer than a snippet.
    private mutating func measure(_ string: String, _ matches: [Range<String.Index>]) {
        var pieces: [Range<String.Index>] = []
        var place = string.startIndex
        var count = 0
        var match = 0
        for range in ranges {
            count += string.distance(from: place, to: range.lowerBound)
            let size = string.distance(from: range.lowerBound, to: range.upperBound)
            guard size > length else {
                pieces.append(range)
                starts.append(count)
                ends.append(count + size)
                place = range.upperBound
                count += size
                continue
            }
            // What is cut is cut where matches begin, else where a snippet is full.
            place = range.lowerBound
            while place < range.upperBound {
                while match < matches.count, matches[match].lowerBound <= place { match += 1 }
                let next = match < matches.count ? matches[match].lowerBound : range.upperBound
                let bound = min(next, range.upperBound)
                let end = string.index(place, offsetBy: length, limitedBy: bound) ?? bound
                let size = string.distance(from: place, to: end)
                pieces.append(place..<end)
                starts.append(count)
                ends.append(count + size)
                count += size
                place = end
            }
        }
        ranges = pieces
    }
}
