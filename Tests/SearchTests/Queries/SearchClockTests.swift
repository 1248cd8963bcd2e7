import Testing

@testable import TextSearch

@Suite("The clock and the memory of a search")
struct SearchClockTests {
    @Test("After 1,024 units of work, or one call with more, a clock looks at the time")
    func work() {
        let clock = SearchClock(checks: 2)
        for _ in 0..<1_023 { #expect(!clock.isOver(afterWork: 1)) }
        #expect(clock.longestStretch == 0)
        #expect(!clock.isOver(afterWork: 1))
        #expect(clock.longestStretch == 1_024)
        #expect(!clock.isOver(afterWork: 5_000))
        #expect(clock.longestStretch == 5_000)
        #expect(clock.isOver(afterWork: 1_024))
        #expect(clock.isSpent)
        #expect(clock.isOver(afterWork: 0))
        #expect(throws: SearchEnded.self) { try clock.work(1) }
    }

    @Test("A search without a budget is never over")
    func unbounded() throws {
        let clock = SearchClock(.unlimited, longest: nil)
        #expect(!clock.isOver(afterWork: .max) && !clock.check())
        try clock.take(1 << 50)
        #expect(clock.isComplete && clock.memory.peak == 1 << 50)
    }

    @Test("A clock is spent from three quarters of its memory on, and throws beyond all of it")
    func memory() throws {
        let clock = SearchClock(.unlimited, longest: nil, memory: 1_000)
        try clock.take(750)
        #expect(!clock.check() && clock.isComplete)
        try clock.take(1)
        #expect(clock.check() && !clock.isComplete)
        try clock.take(249)
        #expect(throws: TextIndexError.self) { try clock.take(1) }
        #expect(throws: TextIndexError.self) { try clock.take(.max) }
        #expect(clock.memory.used == 1_000)
        clock.give(1_000)
        try clock.take(1)
        #expect(clock.memory.used == 1 && clock.memory.peak == 1_000 && clock.isSpent)
    }

    @Test("A share gives its memory back with its last copy; clocks of a search share theirs")
    func shares() throws {
        let clock = SearchClock(.unlimited, longest: nil, memory: 1_000)
        let part = SearchClock(clock, maximumExpansions: 1)
        do {
            let share = try MemoryShare(part, 100)
            try share.grow(to: 50)
            #expect(clock.memory.used == 100)
            try share.grow(to: 200)
            #expect(clock.memory.used == 200)
            try share.set(to: 10)
            #expect(clock.memory.used == 10)
            #expect(throws: TextIndexError.self) { try share.grow(to: 1_001) }
            #expect(share.bytes == 10)
        }
        #expect(clock.memory.used == 0 && clock.memory.peak == 200)
    }
}
