import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is read from front to back, or at a place.
///
/// **Lifetime**: the descriptor is closed with the last reference. **Thread safety**: none; one
/// reader at a time.
final class InputFile {
    /// The largest file that is read in one piece, in bytes, if nothing less is asked for.
    static let largestPiece = 1 << 30

    private let descriptor: Int32
    private let isOwned: Bool
    private let isInterrupted: @Sendable () -> Bool

    /// Opens a file for reading.
    ///
    /// - Throws: ``CommandError`` with the system's reason.
    init(path: Path) throws {
        // Not blocking: opening a named pipe without a writer would hang for ever.
        descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            throw CommandError("cannot read \(path.text): \(Self.systemMessage())")
        }
        isOwned = true
        isInterrupted = { false }
    }

    /// Reads from standard input.
    ///
    /// - Parameter isInterrupted: asked while waiting for input; true ends the input.
    init(standardInput isInterrupted: @escaping @Sendable () -> Bool) {
        descriptor = STDIN_FILENO
        isOwned = false
        self.isInterrupted = isInterrupted
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Reads the next bytes into the buffer.
    ///
    /// - Returns: how many were read; 0 at the end.
    /// - Throws: ``CommandError`` with the system's reason.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if !isOwned, !waitForInput() { continue }
            if isInterrupted() { return 0 }
            let count = systemRead(descriptor, buffer)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            // A pipe, whose writer has not written yet.
            case EAGAIN: _ = waitForInput()
            default: throw CommandError(Self.systemMessage())
            }
        }
    }

    /// Waits a moment; false when nothing has come, and nobody asked to end it.
    private func waitForInput() -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 200) != 0 || isInterrupted()
    }

    /// Reads the whole file, from where it is.
    ///
    /// - Parameter limit: how many bytes to read at most.
    /// - Returns: the bytes, or nil when there are more.
    /// - Throws: ``CommandError`` when it cannot be read.
    func readAll(upTo limit: Int = largestPiece) throws -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CommandError(Self.systemMessage()) }
        let size = Int(status.st_size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(max(size, 0), limit) + 1)
        var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4096), 1 << 20))
        while true {
            let count = try chunk.withUnsafeMutableBytes { try read(into: $0) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { return nil }
        }
    }

    /// Reads a part of the file, without moving.
    ///
    /// - Returns: the bytes, or nil when the file ends before.
    func read(at offset: Int, count: Int) throws -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CommandError(Self.systemMessage()) }
        // What the file cannot hold is not worth a buffer.
        guard offset >= 0, count >= 0, count <= Int(status.st_size) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).baseAddress,
                    count - done, off_t(offset + done))
            }
            if got < 0 && errno == EINTR { continue }
            if got < 0 { throw CommandError(Self.systemMessage()) }
            if got == 0 { return nil }
            done += got
        }
        return bytes
    }

    /// What the system says of the last error.
    static func systemMessage() -> String { String(cString: strerror(errno)) }
}

/// `read(2)`, under a name that the methods do not hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
