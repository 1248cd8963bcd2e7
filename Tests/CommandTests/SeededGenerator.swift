import PowerCuts

extension SeededGenerator {
    /// A number from 0, less than `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
