import Foundation
import LevelDB
import Testing

/// A database whose background work stands still holds up no other.
@Suite struct WorkerTests {
    @Test func aStuckDatabaseHoldsUpNoOther() throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let directory = try TemporaryDirectory()
        let stuck = try Database(at: directory.path("stuck"), mode: .create, options: options)
        let free = try Database(at: directory.path("free"), mode: .create, options: options)
        let fault = Fault(.create, at: directory.path("stuck"), file: ".ldb", .stall).arm()
        // Enough for a flush, not for a second one, which would wait for the first.
        for i in 0..<80 { try stuck.put("\(i)", String(repeating: "v", count: 1000)) }
        while Fault.seen(fault) == 0 { usleep(1000) }
        for i in 0..<1000 { try free.put("\(i)", String(repeating: "v", count: 1000)) }
        try free.compact(from: nil, to: nil)
        try free.close()
        // The stuck one can be read and written meanwhile.
        #expect(try stuck.text("79") != nil)
        try stuck.put("more", "1")
        Fault.disarm(fault)
        try stuck.compact(from: nil, to: nil)
        #expect(try stuck.contents().count == 81)
        try stuck.close()
    }
    @Test("Databases that are closed in any order while others compact hold all that was written")
    func closingInAnyOrder() async throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let directory = try TemporaryDirectory()
        let count = 12
        let databases = try (0..<count).map {
            try Database(at: directory.path("\($0)"), mode: .create, options: options)
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                let database = databases[number * 5 % count]
                group.addTask {
                    for i in 0..<300 {
                        try database.put("\(i)", String(repeating: "v", count: 1000))
                    }
                    // The next one has begun to compact by then, or waits for its turn.
                    if number.isMultiple(of: 2) { try database.compact(from: nil, to: nil) }
                    try database.close()
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<count {
            let again = try Database(at: directory.path("\(number)"), mode: .open, options: options)
            #expect(try again.contents().count == 300)
            try again.close()
        }
    }
}
