/// What the windows of snippets are made of: the words of a string with the signs at them, none
/// overlapping another.
///
/// Only those that a window with a match may reach are there; of a string without matches those
/// that its beginning may.
struct SnippetUnits {
    private(set) var ranges: [Range<String.Index>] = []
    /// The places before the units, in what the length of snippets counts: of the start and of the
    /// end of each. Where words are left out lies more than fits into a snippet.
    private(set) var starts: [Int] = []
    private(set) var ends: [Int] = []
    let length: Int

    /// Complexity: linear in the stretches.
    ///
    /// - Parameters:
    ///   - string: a string.
    ///   - matches: what it shows, in order.
    ///   - length: how long a snippet may be.
    ///   - stretches: what to cut; what ``SnippetStretches`` finds where nil.
    init(
        _ string: String, _ matches: [LocatedMatch], _ length: SnippetLength,
        in stretches: [Range<Int>]? = nil
    ) {
        switch length {
        case .words(let count): self.length = max(count, 1)
        case .characters(let count): self.length = max(count, 1)
        }
        let highlights = matches.map(\.highlight)
        var rest = highlights[...]
        let stretches =
            stretches ?? SnippetStretches.find(in: string, around: highlights, length)
        for stretch in stretches {
            let inside = rest.prefix { $0.utf8Range.lowerBound < stretch.upperBound }
            rest = rest.dropFirst(inside.count)
            add(stretch, of: string, inside.map(\.range), length)
        }
    }

    private mutating func add(
        _ stretch: Range<Int>, of string: String, _ matches: [Range<String.Index>],
        _ length: SnippetLength
    ) {
        let words = SnippetWords(string, in: stretch, matches).ranges
        // There is more than one stretch only where a snippet is shorter than the string.
        let start = ends.last.map { $0 + self.length + 1 } ?? 0
        switch length {
        case .words:
            ranges += words
            starts += start..<(start + words.count)
            ends += (start + 1)..<(start + 1 + words.count)
        case .characters: measure(words, from: start, of: string, matches)
        }
    }

    /// Counts characters, and cuts units that are longer than a snippet.
    private mutating func measure(
        _ words: [Range<String.Index>], from start: Int, of string: String,
        _ matches: [Range<String.Index>]
    ) {
        var place = words.first?.lowerBound ?? string.startIndex
        var count = start
        var match = 0
        for range in words {
            count += string.distance(from: place, to: range.lowerBound)
            let size = string.distance(from: range.lowerBound, to: range.upperBound)
            guard size > length else {
                ranges.append(range)
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
                ranges.append(place..<end)
                starts.append(count)
                ends.append(count + size)
                count += size
                place = end
            }
        }
    }
}
