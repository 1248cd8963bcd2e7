import Dispatch
import LevelDB
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Work side by side")
struct SideWorkTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test("Side work and own work are both done at the end, whoever did the other")
    func both() throws {
        for number in 0..<50 {
            let done = Shared(0)
            let (own, side) = try SideWork {
                done.change { $0 += 1 }
                return number + 1
            }.run { number * 2 }
            #expect(own == number * 2)
            #expect(side == number + 1)
            #expect(done.current == 1)
        }
    }

    @Test("Side work runs beside the own work, or after it")
    func order() throws {
        // The other begins on a thread of its own, and waits until the first has begun.
        let hasBegun = DispatchSemaphore(value: 0)
        let done = Shared(false)
        _ = try SideWork {
            hasBegun.wait()
            done.change { $0 = true }
        }.run { hasBegun.signal() }
        #expect(done.current)
    }

    @Test("A failure of side work is thrown once both are done")
    func failures() throws {
        let done = Shared(false)
        #expect(throws: Failure(number: 1)) {
            try SideWork { done.change { $0 = true } }.run { throw Failure(number: 1) }
        }
        #expect(done.current)
        #expect(throws: Failure(number: 2)) {
            try SideWork { throw Failure(number: 2) }.run { 5 }
        }
        // Whichever was first.
        for _ in 0..<20 {
            #expect(throws: Failure(number: 3)) {
                try SideWork { throw Failure(number: 4) }.run { throw Failure(number: 3) }
            }
        }
    }

    @Test("A failed write is thrown, not that another one came after it", arguments: [false, true])
    func writes(isFirst: Bool) throws {
        let later = TextIndexError(LevelDBError(code: .poisoned, message: "later", path: "/"))
        let cause = TextIndexError(LevelDBError(code: .diskFull, message: "full", path: "/"))
        let hasFailed = DispatchSemaphore(value: 0)
        let error = #expect(throws: TextIndexError.self) {
            try SideWork {
                hasFailed.wait()
                throw isFirst ? later : cause
            }.run {
                defer { hasFailed.signal() }
                throw isFirst ? cause : later
            }
        }
        #expect(error?.code == .diskFull)
    }

    @Test("What is refused after a full disk says that the disk is full")
    func refusals() {
        for isFull in [false, true] {
            let error = TextIndexError(
                LevelDBError(
                    code: .poisoned, message: "refused", path: "/", isForWantOfSpace: isFull))
            #expect(error.code == (isFull ? .diskFull : .io))
            #expect(error.isOfEarlierWrite)
        }
    }
}
