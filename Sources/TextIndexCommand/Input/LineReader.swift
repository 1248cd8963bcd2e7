import Foundation

/// Reads lines of any length from a file in bounded memory.
///
/// A line ends at a line feed; a carriage return before it is dropped.
/// Memory: one chunk, and the line that the caller holds.
struct LineReader {
    /// What was read.
    enum Line: Equatable {
        /// A line; its bytes are in the caller's buffer.
        case line
        /// A line longer than the limit; it was skipped.
        case tooLong
        /// The end of the file.
        case end
    }

    private let file: InputFile
    private let longest: Int
    private var chunk = [UInt8](repeating: 0, count: 1 << 18)
    private var unread = 0..<0

    /// The number of the line that was read last, from 1.
    private(set) var number = 0
    /// Where the line that was read last begins, in bytes from the start of the input.
    private(set) var start = 0
    /// How many bytes have been consumed.
    private(set) var consumed = 0

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - file: where to read from.
    ///   - longest: the longest line to give, in bytes.
    init(_ file: InputFile, longest: Int = InputFile.largestPiece) {
        self.file = file
        self.longest = longest
    }

    /// Reads the next line.
    ///
    /// - Parameter line: receives the bytes, without the line's end.
    /// - Returns: whether there was one.
    /// - Throws: ``CommandError`` when the file cannot be read.
    mutating func next(into line: inout [UInt8]) throws -> Line {
        line.removeAll(keepingCapacity: true)
        start = consumed
        number += 1
        var isTooLong = false
        while true {
            if unread.isEmpty {
                let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                unread = 0..<count
                if count == 0 {
                    if isTooLong { return .tooLong }
                    return consumed == start ? .end : finished(&line)
                }
            }
            let end = lineFeed()
            let piece = unread.lowerBound..<(end ?? unread.upperBound)
            if line.count + piece.count > longest { isTooLong = true }
            if isTooLong {
                line = []
            } else {
                line.append(contentsOf: chunk[piece])
            }
            let used = piece.count + (end == nil ? 0 : 1)
            consumed += used
            unread = (unread.lowerBound + used)..<unread.upperBound
            if end != nil { return isTooLong ? .tooLong : finished(&line) }
        }
    }

    private func finished(_ line: inout [UInt8]) -> Line {
        if line.last == 0x0D { line.removeLast() }
        return .line
    }

    /// The place of the next line feed in the chunk.
    private func lineFeed() -> Int? {
        chunk.withUnsafeBytes { bytes -> Int? in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[unread])
            // In bounds: memchr reads only `rest.count` bytes from a buffer that is not empty.
            guard let start = rest.baseAddress, let found = memchr(start, 0x0A, rest.count) else {
                return nil
            }
            return unread.lowerBound + (UnsafeRawPointer(found) - start)
        }
    }
}
