#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    @testable import LevelDB

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A process that may open few files.
    @Suite("File descriptors", .timeLimit(.minutes(30)))
    struct DescriptorTests {
        private static let valueCount = 600

        private static var options: DatabaseOptions {
            var options = DatabaseOptions()
            options.compression = false
            // A table for every few values: those of keys in order are not merged.
            options.writeBufferSize = 128 << 10
            options.maxFileSize = 1 << 20
            options.maxOpenFiles = 1000
            return options
        }

        private static func key(_ number: Int) -> [UInt8] { Array("key \(1000 + number)".utf8) }

        private static func value(_ number: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(number % 251), count: 32 << 10)
        }

        /// Closes what the process inherited from other tests that ran when it was made, and that
        /// would leave it no descriptors. The newest pipe is that to its parent.
        private static func closeInherited(below limit: Int) {
            var pipes: [Int32] = []
            for descriptor in 3..<Int32(limit) {
                var status = stat()
                guard fstat(descriptor, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFIFO: pipes.append(descriptor)
                case S_IFREG, S_IFDIR, S_IFCHR, S_IFSOCK: close(descriptor)
                default: break
                }
            }
            for pipe in pipes.dropLast() { close(pipe) }
        }

        /// What a process with a limit of so many descriptors does; any failure ends it.
        private static func work(at path: String, limit: Int) throws {
            closeInherited(below: limit)
            var resource = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            #if canImport(Glibc)
                let outcome = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &resource)
            #else
                let outcome = setrlimit(RLIMIT_NOFILE, &resource)
            #endif
            guard outcome == 0 else { throw CocoaError(.featureUnsupported) }
            let database = try Database(at: path, mode: .open, options: options)
            // Every table, in an order that keeps none in LevelDB's caches; then all of them at
            // once.
            for number in 0..<valueCount
            where try database.value(
                forKey: key(number * 7 % valueCount)) != value(number * 7 % valueCount)
            {
                throw CocoaError(.fileReadCorruptFile)
            }
            var count = 0
            try database.forEachEntry(withPrefix: []) { _, _ in
                count += 1
                return .next
            }
            guard count == valueCount else { throw CocoaError(.fileReadCorruptFile) }
            // Writing and merging go on, too.
            let batch = WriteBatch()
            for number in 0..<50 { batch.put(key(number), value(number + 1)) }
            try database.write(batch, sync: true)
            try database.compact(from: nil, to: nil)
            guard try database.value(forKey: key(3)) == value(4) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            try database.close()
        }

        @Test("A database of more tables than the process may open files works")
        func fewDescriptors() async throws {
            let folder = try TemporaryDirectory()
            let path = folder.path("database")
            let database = try Database(at: path, mode: .create, options: Self.options)
            for number in 0..<Self.valueCount {
                let batch = WriteBatch()
                batch.put(Self.key(number), Self.value(number))
                try database.write(batch, sync: false)
            }
            try database.close()
            let tables = try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".ldb") }
            #expect(tables.count > 70)
            // As beside other tests.
            let others = (0..<100).map { _ in open("/dev/null", O_RDONLY) }
            defer { for descriptor in others { close(descriptor) } }
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Self.work(at: path, limit: 64)
            }
        }
    }
#endif
