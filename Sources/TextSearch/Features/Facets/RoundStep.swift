import Foundation

/// 1, 2 or 5 times a power of ten, whose multiples are the numbers nearest to their decimal forms:
/// they print round.
struct RoundStep: Equatable {
    private let factor: Double
    private let exponent: Double

    func multiple(_ place: Double) -> Double {
        // Powers of ten with an exponent below 0 are not exact.
        exponent < 0
            ? place * factor / pow(10, -exponent) : place * factor * pow(10, exponent)
    }

    var width: Double { multiple(1) }

    /// The places of the multiples that hold a range: the last that is not above it, to the first
    /// that is. Nil where numbers do not tell them apart.
    private func places(around range: ClosedRange<Double>) -> ClosedRange<Double>? {
        var lower = (range.lowerBound / width).rounded(.down)
        var upper = (range.upperBound / width).rounded(.down) + 1
        guard abs(lower) < 0x1p50, abs(upper) < 0x1p50 else { return nil }
        // The quotients may be rounded over a multiple.
        if multiple(lower) > range.lowerBound {
            lower -= 1
        } else if multiple(lower + 1) <= range.lowerBound {
            lower += 1
        }
        if multiple(upper) <= range.upperBound {
            upper += 1
        } else if multiple(upper - 1) > range.upperBound {
            upper -= 1
        }
        return lower...upper
    }

    /// The multiples that cut a range in pieces, with those at its ends.
    func multiples(around range: ClosedRange<Double>) -> [Double] {
        guard let places = places(around: range) else { return [] }
        // Not -0.
        return stride(from: places.lowerBound, through: places.upperBound, by: 1)
            .map { multiple($0) + 0 }.filter(\.isFinite)
    }

    /// The least step whose multiples cut a range in no more than `count` pieces; nil where there
    /// is none.
    init?(cutting range: ClosedRange<Double>, atMost count: Int) {
        // Halved, so that the difference is finite.
        let width = (range.upperBound / 2 - range.lowerBound / 2) / Double(count) * 2
        var exponent = width > 0 && width.isFinite ? log10(width).rounded(.down) - 1 : 0
        while exponent < 308 {
            for factor in [1.0, 2, 5] {
                let step = RoundStep(factor: factor, exponent: exponent)
                guard step.width > 0, step.width.isFinite,
                    let places = step.places(around: range)
                else { continue }
                if places.upperBound - places.lowerBound <= Double(count) {
                    self = step
                    return
                }
            }
            exponent += 1
        }
        return nil
    }

    private init(factor: Double, exponent: Double) {
        self.factor = factor
        self.exponent = exponent
    }
}
