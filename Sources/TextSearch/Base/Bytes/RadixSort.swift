/// Sorts by a number, some bits of it after the other, the lowest first: each pass keeps the order
/// of those before, so that elements with the same number stay in their order.
enum RadixSort {
    /// So many bits are sorted by at once: the places of their values lie in the first cache.
    private static let digitBits = 11

    /// Sorts by the lowest bits of a number.
    ///
    /// Complexity: linear, in `bitCount` / 11 passes, and the memory of the elements once more.
    static func sort<Element: BitwiseCopyable>(
        _ elements: inout [Element], bitCount: Int, by number: (Element) -> UInt64
    ) {
        var other = elements
        for low in stride(from: 0, to: bitCount, by: digitBits) {
            let mask = UInt64(1) << UInt64(min(digitBits, bitCount - low)) - 1
            var places = [Int](repeating: 0, count: 1 << digitBits)
            for element in elements { places[Int(number(element) >> low & mask)] += 1 }
            var next = 0
            for digit in places.indices { (places[digit], next) = (next, next + places[digit]) }
            for element in elements {
                let digit = Int(number(element) >> low & mask)
                other[places[digit]] = element
                places[digit] += 1
            }
            swap(&elements, &other)
        }
    }
}
