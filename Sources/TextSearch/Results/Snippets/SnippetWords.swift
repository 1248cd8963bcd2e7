/// The words of a stretch of a string with the signs at them, none overlapping another.
struct SnippetWords {
    private(set) var ranges: [Range<String.Index>] = []
    private let start: String.Index
    private let end: String.Index

    /// Cuts a stretch.
    ///
    /// The first word and the last are left out where they are not those of the string: the signs
    /// at them may lie outside.
    ///
    /// Complexity: linear in the stretch.
    ///
    /// - Parameters:
    ///   - string: a string.
    ///   - stretch: a range of its UTF-8, as ``SnippetStretches`` finds it.
    ///   - matches: those in the stretch.
    init(_ string: String, in stretch: Range<Int>, _ matches: [Range<String.Index>]) {
        start = string.utf8.index(string.startIndex, offsetBy: stretch.lowerBound)
        end = string.utf8.index(start, offsetBy: stretch.count)
        addWords(of: string, stretch)
        join(matches)
        attachSigns(in: string)
        if end < string.endIndex, !ranges.isEmpty { ranges.removeLast() }
        if start > string.startIndex, !ranges.isEmpty { ranges.removeFirst() }
    }

    private mutating func addWords(of string: String, _ stretch: Range<Int>) {
        var bytes = string
        var words: [Range<Int>] = []
        bytes.withUTF8 { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[stretch])
            UnicodeTokenizer().forEachWord(inBytes: part) { range, _ in words.append(range) }
        }
        var place = start
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
        var place = start
        for number in 0...ranges.count {
            let next = number < ranges.count ? ranges[number].lowerBound : end
            let gap = string[min(place, next)..<next]
            // One space, the usual case, is not worth asking Unicode about.
            let isSpace = gap.utf8.count == 1 && gap.utf8.first == UInt8(ascii: " ")
            let space = isSpace ? gap.startIndex : gap.firstIndex(where: \.isWhitespace)
            if number > 0 {
                ranges[number - 1] = ranges[number - 1].lowerBound..<(space ?? next)
            }
            if number < ranges.count {
                place = ranges[number].upperBound
                let last =
                    isSpace
                    ? next : gap.lastIndex(where: \.isWhitespace).map { string.index(after: $0) }
                if number == 0 || last != nil {
                    ranges[number] = (last ?? start)..<place
                }
            }
        }
    }
}
