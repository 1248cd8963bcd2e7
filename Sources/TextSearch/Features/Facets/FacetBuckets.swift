import Foundation

/// The buckets of a facet, and which of them a value lies in.
struct FacetBuckets {
    private let kind: Facet.Kind
    private(set) var keys: [FacetKey] = []
    private var values: [AttributeValue: Int32] = [:]
    /// By the lower bounds of their ranges.
    private var numbers: [Double: Int32] = [:]
    /// The range of the number before.
    private var last: (range: Range<Double>, bucket: Int32)?
    private var periods: [CivilTime.Period: Int32] = [:]
    private var civil: CivilTime?
    private let ranges: [FacetRange]
    /// The bucket of each piece, by the number of cuts at or below its values.
    private var pieces: [Int: Int32] = [:]

    init(_ kind: Facet.Kind) {
        self.kind = kind
        var ranges: [FacetRange] = []
        switch kind {
        case .ranges(let given):
            keys = given.map { .range($0) }
            ranges = given
        case .dates(let period, let timeZone): civil = CivilTime(period, timeZone)
        default: break
        }
        self.ranges = ranges
    }

    /// About the bytes of memory held: of each bucket its key, twice, and a place in a table.
    var byteCount: Int { keys.count * Self.bucketSize }
    private static var bucketSize: Int {
        2 * (MemoryLayout<FacetKey>.stride + MemoryLayout<AttributeValue>.stride) + 64
    }

    /// Whether the buckets are there before anything lies in them.
    var areGiven: Bool { if case .ranges = kind { true } else { false } }

    /// Adds the numbers of the buckets that a value lies in, where they are not there yet.
    mutating func add(_ value: AttributeValue, to buckets: inout [Int32]) {
        var found: Int32?
        switch kind {
        case .values: found = bucket(value)
        case .levels(let separator, let parent):
            found = Self.level(of: value, separator, below: parent).map { bucket(.string($0)) }
        case .histogram(let interval, let origin):
            if case .number(let number) = value { found = bucket(number, interval, origin) }
        case .dates:
            if case .date(let date) = value { found = bucket(date) }
        case .cuts(let cuts, let areDates): found = bucket(value, cuts, areDates)
        // Of values that are neither numbers nor dates.
        case .automatic: break
        case .ranges:
            for (number, range) in ranges.enumerated()
            where range.contains(value) && !buckets.contains(Int32(number)) {
                buckets.append(Int32(number))
            }
        }
        if let found, !buckets.contains(found) { buckets.append(found) }
    }

    private mutating func bucket(_ value: AttributeValue) -> Int32 {
        if let known = values[value] { return known }
        let number = Int32(keys.count)
        keys.append(.value(value))
        values[value] = number
        return number
    }

    /// The path of the level below `parent` that a path goes through; nil where it does not.
    static func level(
        of value: AttributeValue, _ separator: String, below parent: String?
    ) -> String? {
        guard case .string(let path) = value else { return nil }
        let bytes = Array(path.utf8)
        let mark = Array(separator.utf8)
        var start = 0
        if let parent {
            // Compared as strings are, however they are composed.
            guard
                let end = ends(of: mark, in: bytes).first(where: {
                    String(decoding: bytes[..<$0], as: UTF8.self) == parent
                })
            else { return nil }
            start = end + mark.count
        }
        let end = ends(of: mark, in: bytes).first { $0 >= start } ?? bytes.count
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Where the levels of a path end, but for the last.
    private static func ends(of mark: [UInt8], in bytes: [UInt8]) -> [Int] {
        var ends: [Int] = []
        var place = 0
        while place + mark.count <= bytes.count {
            if bytes[place..<(place + mark.count)].elementsEqual(mark) {
                ends.append(place)
                place += mark.count
            } else {
                place += 1
            }
        }
        return ends
    }

    /// The range of a histogram that a number lies in: from one multiple of the interval to the
    /// next, as they are computed. A number so large, or an interval so small, that no two
    /// multiples are told apart there, is a range of its own.
    static func range(
        of number: Double, _ interval: Double, _ origin: Double
    ) -> Range<Double>? {
        guard number.isFinite else { return nil }
        let near = ((number - origin) / interval).rounded(.down)
        // The quotient may be rounded over a bound.
        for place in [near, near - 1, near + 1] where abs(near) < 0x1p50 {
            let lower = origin + place * interval
            let upper = origin + (place + 1) * interval
            if lower <= number, number < upper { return lower..<upper }
        }
        return number..<number.nextUp
    }

    private mutating func bucket(
        _ number: Double, _ interval: Double, _ origin: Double
    ) -> Int32? {
        // Neighbours among the distinct values mostly lie in one range.
        if let last, last.range.contains(number) { return last.bucket }
        guard let range = Self.range(of: number, interval, origin) else { return nil }
        let bucket = numbers[range.lowerBound] ?? Int32(keys.count)
        if bucket == keys.count {
            keys.append(
                .range(
                    FacetRange(from: .number(range.lowerBound), to: .number(range.upperBound))))
            numbers[range.lowerBound] = bucket
        }
        last = (range, bucket)
        return bucket
    }

    private mutating func bucket(
        _ value: AttributeValue, _ cuts: [Double], _ areDates: Bool
    ) -> Int32? {
        let number: Double
        switch value {
        case .number(let own) where !areDates && own.isFinite: number = own
        case .date(let date)
        where areDates && abs(date.timeIntervalSinceReferenceDate) < CivilTime.furthest:
            number = date.timeIntervalSinceReferenceDate
        default: return nil
        }
        let place = cuts.firstPlace { $0 > number }
        if let known = pieces[place] { return known }
        func bound(_ place: Int) -> AttributeValue? {
            guard cuts.indices.contains(place) else { return nil }
            return areDates
                ? .date(Date(timeIntervalSinceReferenceDate: cuts[place])) : .number(cuts[place])
        }
        let bucket = Int32(keys.count)
        keys.append(.range(FacetRange(from: bound(place - 1), to: bound(place))))
        pieces[place] = bucket
        return bucket
    }

    private mutating func bucket(_ date: Date) -> Int32? {
        guard let period = civil?.period(of: date) else { return nil }
        if let known = periods[period] { return known }
        guard let range = civil?.range(of: period) else { return nil }
        let bucket = Int32(keys.count)
        keys.append(.range(range))
        periods[period] = bucket
        return bucket
    }
}

/// The buckets that the codes of a column stand for, found as they are asked for.
struct CodeBuckets {
    /// The bucket of each code; -1 where there is none or that is not known, and below that,
    /// counted down from -2, where its buckets are in `lists`.
    private(set) var places: [Int32]
    private var lists: [[Int32]] = []
    private var own: [Int32] = []

    /// The bytes of memory held.
    var byteCount: Int { places.capacity * 4 + lists.count * 64 }

    init(_ column: AttributeColumn) {
        places = [Int32](repeating: -1, count: column.codeCount)
    }

    /// Finds the buckets of a code, once.
    mutating func find(
        _ code: Int, _ column: AttributeColumn, _ buckets: inout FacetBuckets
    ) {
        own.removeAll(keepingCapacity: true)
        column.forEachValue(of: code) { buckets.add($0, to: &own) }
        if own.count == 1 {
            places[code] = own[0]
        } else if !own.isEmpty {
            places[code] = -2 - Int32(lists.count)
            lists.append(own)
        }
    }

    /// The buckets at a place below -1.
    func list(at place: Int32) -> [Int32] { lists[Int(-2 - place)] }

    /// Calls `body` with each bucket of a code.
    @inline(__always)
    func forEach(of code: Int, _ body: (Int) -> Void) {
        let place = places[code]
        if place >= 0 { return body(Int(place)) }
        if place < -1 { for bucket in list(at: place) { body(Int(bucket)) } }
    }
}
