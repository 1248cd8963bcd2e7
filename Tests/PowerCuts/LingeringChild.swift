#if os(Linux)
    import Foundation
    import Glibc

    /// A child that a process makes by `fork`, and that lives on when its parent has ended.
    package enum LingeringChild {
        /// Makes one. It has what it inherits of files in a directory, and no other descriptors:
        /// nobody is to wait for the ends of its pipes.
        ///
        /// Returns, in the parent alone, when its number can be read at `place`. It ends when that
        /// is removed, or after half an hour.
        package static func fork(keeping directory: String, place: String) {
            let child = Glibc.fork()
            if child == 0 {
                closeDescriptors(but: directory)
                let file = open(place + ".new", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                var number = getpid()
                _ = write(file, &number, MemoryLayout.size(ofValue: number))
                close(file)
                rename(place + ".new", place)
                for _ in 0..<18_000 where access(place, F_OK) == 0 { usleep(100_000) }
                _exit(0)
            }
            while child > 0, access(place, F_OK) != 0 { usleep(1000) }
        }

        /// Runs `body` in a child, for ten seconds at most; zero where it says that all is well.
        package static func run(_ body: () -> Bool) -> Int32 {
            let child = Glibc.fork()
            if child == 0 {
                alarm(10)
                _exit(body() ? 0 : 1)
            }
            var status: Int32 = 0
            return waitpid(child, &status, 0) == child ? status : -1
        }

        /// The number of the process, while it lives.
        package static func number(at place: String) -> Int32? {
            guard let data = FileManager.default.contents(atPath: place), data.count == 4 else {
                return nil
            }
            return data.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
        }

        /// Ends it.
        package static func end(at place: String) {
            let child = number(at: place)
            unlink(place)
            while let child, waitpid(child, nil, WNOHANG) == 0 || isRunning(child) {
                usleep(1000)
            }
        }

        private static func isRunning(_ child: Int32) -> Bool {
            guard let state = FileManager.default.contents(atPath: "/proc/\(child)/stat") else {
                return false
            }
            return !String(decoding: state, as: UTF8.self).contains(") Z ")
        }

        private static func closeDescriptors(but directory: String) {
            var target = [CChar](repeating: 0, count: 4097)
            for descriptor in Int32(0)..<1024 {
                let length = readlink("/proc/self/fd/\(descriptor)", &target, 4096)
                if length < 0 { continue }
                let name = target[..<length].map { UInt8(bitPattern: $0) }
                if !name.starts(with: Array(directory.utf8)) { close(descriptor) }
            }
        }
    }
#endif
