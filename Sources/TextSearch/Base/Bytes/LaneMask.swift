extension SIMDMask<SIMD16<Int8>> {
    /// Calls `body` with the numbers of the lanes that are set, ascending; next to nothing is done
    /// where none is.
    @inline(__always)
    func forEachLane(_ body: (Int) throws -> Void) rethrows {
        // A lane that is set has all bits set.
        let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
        guard halves[0] | halves[1] != 0 else { return }
        for half in 0..<2 {
            var rest = halves[half]
            while rest != 0 {
                let lane = rest.trailingZeroBitCount >> 3
                rest &= ~(0xff << UInt64(lane * 8))
                try body(half * 8 + lane)
            }
        }
    }
}
