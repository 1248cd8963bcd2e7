/// Chooses the windows of strings that show their matches best.
struct SnippetChooser {
    /// A string, in units, with the units that each match begins and ends in.
    private struct Source {
        var string: String
        var matches: [LocatedMatch]
        var units: SnippetUnits
        var spans: [ClosedRange<Int>] = []
        /// The units that no window has taken.
        var free: [Range<Int>] = []
        var windows: [Range<Int>] = []
    }

    /// Matches that fit into one window.
    private struct Group {
        var source: Int
        var free: Int
        var matches: Range<Int>
        var units: ClosedRange<Int>
        var clauses: UInt64
        var new: Int

        func isBetter(than other: Group) -> Bool {
            (new, clauses.nonzeroBitCount, matches.count)
                > (other.new, other.clauses.nonzeroBitCount, other.matches.count)
        }
    }

    private var sources: [Source] = []
    private var shown: UInt64 = 0

    /// - Parameters:
    ///   - strings: the strings.
    ///   - matches: those of each, in order.
    ///   - length: how long a snippet may be.
    ///   - cutsWhole: whether strings are cut as a whole; otherwise around their matches, which
    ///     chooses the same.
    init(
        _ strings: [String], _ matches: [[LocatedMatch]], _ length: SnippetLength,
        cutsWhole: Bool = false
    ) {
        let isEmpty = matches.allSatisfy(\.isEmpty)
        for (string, matches) in zip(strings, matches) {
            // Strings without matches are not looked at, unless there are none at all.
            guard !matches.isEmpty || isEmpty else {
                sources.append(
                    Source(string: string, matches: [], units: SnippetUnits("", [], length)))
                continue
            }
            let units = SnippetUnits(
                string, matches, length, in: cutsWhole ? [0..<string.utf8.count] : nil)
            var source = Source(string: string, matches: matches, units: units)
            source.free = units.ranges.isEmpty ? [] : [units.ranges.indices]
            source.spans = Self.spans(matches, units)
            sources.append(source)
        }
    }

    private static func spans(_ matches: [LocatedMatch], _ units: SnippetUnits) -> [ClosedRange<
        Int
    >] {
        var unit = 0
        return matches.map { match in
            let range = match.highlight.range
            while units.ranges[unit].upperBound <= range.lowerBound { unit += 1 }
            var last = unit
            // What no window can show whole is shown as far as one goes.
            while last + 1 < units.ranges.count,
                units.ranges[last + 1].lowerBound < range.upperBound,
                units.ends[last + 1] - units.starts[unit] <= units.length
            {
                last += 1
            }
            return unit...last
        }
    }

    mutating func choose(_ count: Int) -> [Snippet] {
        guard count > 0 else { return [] }
        if sources.allSatisfy(\.matches.isEmpty) { return beginning() }
        for _ in 0..<count {
            guard let best = bestGroup() else { break }
            take(best)
        }
        return sources.enumerated().flatMap { number, source in
            source.windows.sorted { $0.lowerBound < $1.lowerBound }.map { window in
                snippet(source, number, window)
            }
        }
    }

    private func beginning() -> [Snippet] {
        guard let number = sources.firstIndex(where: { !$0.free.isEmpty }) else { return [] }
        let units = sources[number].units
        let count = units.ends.prefix { $0 - units.starts[0] <= units.length }.count
        return [snippet(sources[number], number, 0..<max(count, 1))]
    }

    private func snippet(_ source: Source, _ number: Int, _ window: Range<Int>) -> Snippet {
        let lower = source.units.ranges[window.lowerBound].lowerBound
        let range = lower..<source.units.ranges[window.upperBound - 1].upperBound
        return Snippet(of: source.string, at: number, range, source.matches)
    }

    // MARK: Groups

    private func bestGroup() -> Group? {
        var best: Group?
        for source in sources.indices {
            for free in sources[source].free.indices {
                forEachGroup(source, free) { group in
                    if let known = best, !group.isBetter(than: known) { return }
                    best = group
                }
            }
        }
        return best
    }

    /// For each match of a stretch of free units the matches that fit into a window that begins
    /// with it.
    private func forEachGroup(_ number: Int, _ free: Int, _ body: (Group) -> Void) {
        let source = sources[number]
        let range = source.free[free]
        let units = source.units
        var counts = [Int](repeating: 0, count: 64)
        var clauses: UInt64 = 0
        func count(_ match: Int, _ step: Int) {
            var rest = source.matches[match].clauses
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest - 1
                counts[bit] += step
                if counts[bit] == 0 {
                    clauses &= ~(1 << UInt64(bit))
                } else {
                    clauses |= 1 << UInt64(bit)
                }
            }
        }
        var end =
            source.spans.firstIndex { $0.lowerBound >= range.lowerBound } ?? source.spans.count
        var first = end
        while first < source.spans.count, source.spans[first].lowerBound < range.upperBound {
            let start = source.spans[first].lowerBound
            while end < source.spans.count, source.spans[end].upperBound < range.upperBound,
                units.ends[source.spans[end].upperBound] - units.starts[start] <= units.length
            {
                count(end, 1)
                end += 1
            }
            // A match that a window before has cut does not fit.
            guard end > first else {
                first += 1
                end = max(end, first)
                continue
            }
            body(
                Group(
                    source: number, free: free, matches: first..<end,
                    units: start...source.spans[end - 1].upperBound, clauses: clauses,
                    new: (clauses & ~shown).nonzeroBitCount))
            count(first, -1)
            first += 1
        }
    }

    // MARK: Windows

    /// Makes a window of a group: as much before it as after it, as far as there is room.
    private mutating func take(_ group: Group) {
        shown |= group.clauses
        let units = sources[group.source].units
        let free = sources[group.source].free[group.free]
        var (lower, upper) = (group.units.lowerBound, group.units.upperBound)
        func fits(_ lower: Int, _ upper: Int) -> Bool {
            units.ends[upper] - units.starts[lower] <= units.length
        }
        var grows = true
        while grows {
            grows = false
            if upper + 1 < free.upperBound, fits(lower, upper + 1) {
                upper += 1
                grows = true
            }
            if lower > free.lowerBound, fits(lower - 1, upper) {
                lower -= 1
                grows = true
            }
        }
        let rest = [free.lowerBound..<lower, (upper + 1)..<free.upperBound].filter { !$0.isEmpty }
        sources[group.source].free.replaceSubrange(group.free...group.free, with: rest)
        sources[group.source].windows.append(lower..<(upper + 1))
    }
}
