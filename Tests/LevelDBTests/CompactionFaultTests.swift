import Dispatch
import Foundation
import LevelDB
import PowerCuts
import Synchronization
import Testing

/// Writes that fail while another thread compacts: LevelDB 1.23 alone crashes then.
@Suite struct CompactionFaultTests {
    @Test(arguments: [
        (Fault.Operation.append, ".ldb"), (.sync, ".ldb"), (.sync, ".log"), (.append, "MANIFEST"),
        (.close, ".log"),
    ])
    func nothingCrashes(operation: Fault.Operation, file: String) throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        for skip in Scale.sample(upTo: 12).map(UInt64.init) {
            let directory = try TemporaryDirectory()
            let path = directory.path("db")
            let database = try Database(at: path, mode: .create, options: options)
            for number in 0..<2000 {
                try database.put("\(number % 700)", String(repeating: "v", count: 300))
            }
            try database.put("kept", "1", sync: true)
            let fault = Fault(operation, at: path, file: file, .fail(errno: EIO), skip: skip)
            let writing = Atomic(true)
            let armed = fault.arm()
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    // Until it is met, and then on: later writes meet it too.
                    for number in 0..<5000 where number < 300 || Fault.seen(armed) <= skip {
                        try? database.put(
                            "\(number)", String(repeating: "w", count: 2000), sync: true)
                    }
                    writing.store(false, ordering: .releasing)
                } else {
                    repeat {
                        try? database.compact(from: nil, to: nil)
                    } while writing.load(ordering: .acquiring)
                }
            }
            #expect(Fault.seen(armed) > skip, "no write failed")
            Fault.disarm(armed)
            try? database.close()
            let again = try Database(at: path, mode: .open)
            #expect(try again.text("kept") == "1")
            try again.close()
        }
    }
}
