import Foundation
import Testing

// Elsewhere address space cannot be limited, and sanitizers take more than there would be.
#if os(Linux) && !ADDRESS_SANITIZER && !THREAD_SANITIZER
    /// Little memory.
    @Suite struct MemoryTests {
        @Test func severalThreadsShareTheAddressSpaceThatThereIs() async throws {
            let folder = try TestFolder()
            let command = Command(folder: folder)
            var lines = ""
            for number in 0..<10_000 {
                let words = (0..<100).map { "w\((number * 7919 + $0 * $0 * 104_729) % 300_007)" }
                lines += "{\"id\": \(number), \"body\": \"\(words.joined(separator: " "))\"}\n"
            }
            try folder.write(lines, to: "lines.jsonl")
            let result = try await command.shell(
                #"ulimit -v 524288; "$0" index lines.jsonl --index index"#)
            #expect(result.status == 0, "\(result.error)")
            let found = try await command.search("w7919")
            #expect(!found.hits.isEmpty)
        }
    }
#endif
