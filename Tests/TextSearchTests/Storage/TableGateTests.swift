import Dispatch
import Testing

@testable import TextSearch

@Suite("What waits for a table file")
struct TableGateTests {
    @Test("Little is held back, much waits, and nothing once it is open")
    func held() async {
        let gate = TableGate()
        #expect(!gate.lets(pass: 0))
        #expect(!gate.lets(pass: 1 << 20))
        let much = Task.detached { gate.lets(pass: 1 << 30) }
        gate.open()
        gate.open()
        #expect(await much.value)
        #expect(gate.lets(pass: 0))
        gate.wait()
    }

    @Test("One that nobody opens can go")
    func dropped() { _ = TableGate() }
}
