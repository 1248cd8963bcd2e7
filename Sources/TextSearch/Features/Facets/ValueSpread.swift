/// How numbers are spread, roughly: how many there are in each bin, with the least and the greatest
/// of it. A bin is a sixty-fourth of a power of two, so there are 2^18 at most. It makes no
/// difference in which order and in how many parts the numbers come.
struct ValueSpread {
    private struct Bin {
        var count: Int
        var least: Double
        var greatest: Double

        mutating func add(_ other: Bin) {
            count += other.count
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
        }
    }

    private var bins: [Int64: Bin] = [:]

    /// The bin of a number, in the order of numbers.
    static func bin(of number: Double) -> Int64 {
        let bits = Int64(bitPattern: number.bitPattern)
        return (bits >= 0 ? bits : Int64.min &- bits) >> 46
    }

    mutating func add(_ number: Double) { add(1, number, number) }

    /// Adds so many numbers of one bin.
    mutating func add(_ count: Int, _ least: Double, _ greatest: Double) {
        add(Bin(count: count, least: least, greatest: greatest), to: Self.bin(of: least))
    }

    private mutating func add(_ bin: Bin, to place: Int64) {
        if bins[place]?.add(bin) == nil { bins[place] = bin }
    }

    /// Adds the numbers of another.
    mutating func add(_ other: ValueSpread) {
        for (place, bin) in other.bins { add(bin, to: place) }
    }

    /// The least and the greatest number, without some that lie far away.
    struct Extent {
        var numbers: ClosedRange<Double>
        /// How many ends others lie beyond.
        var cutCount = 0
    }

    /// Where most numbers lie: up to two of a hundred, or one of ten or more, are left out at an
    /// end where they lie further away than all between are apart, if `withoutFar`. Nil without
    /// numbers.
    func range(withoutFar: Bool) -> Extent? {
        let sorted = bins.sorted { $0.key < $1.key }.map(\.value)
        guard let least = sorted.first?.least, let greatest = sorted.last?.greatest else {
            return nil
        }
        let whole = Extent(numbers: least...greatest)
        let count = sorted.reduce(0) { $0 + $1.count }
        guard withoutFar, count >= 10 else { return whole }
        let few = max(count / 50, 1)
        var passed = 0
        let low = sorted.first { bin in
            passed += bin.count
            return passed > few
        }
        passed = 0
        let high = sorted.last { bin in
            passed += bin.count
            return passed > few
        }
        guard let low = low?.least, let high = high?.greatest, low < high else { return whole }
        let width = high - low
        let nearest = sorted.first { $0.least >= low - width }?.least ?? low
        let furthest = sorted.last { $0.greatest <= high + width }?.greatest ?? high
        return Extent(
            numbers: nearest...furthest,
            cutCount: (nearest > least ? 1 : 0) + (furthest < greatest ? 1 : 0))
    }
}
