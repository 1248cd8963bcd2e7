/// What somebody did on the keyboard.
enum Key: Equatable, Sendable {
    /// Characters to insert; several where they were pasted.
    case text(String)
    case enter, escape, tab, backspace, delete
    case left, right, up, down, wordLeft, wordRight
    case home, end, pageUp, pageDown, firstHit, lastHit
    case deleteWord, deleteToStart, deleteToEnd
    case earlier, later
    case interrupt, suspend, redraw
}

/// Makes keys of the bytes that a terminal sends, in whatever pieces they come.
///
/// UTF-8 that is cut waits for its rest; so does an escape sequence. Whether a lone escape is the
/// key of that name only time can tell: the caller says with `flush()` that nothing followed.
struct KeyDecoder {
    private var bytes: [UInt8] = []
    /// What is being pasted.
    private var pasted: [UInt8]?

    /// More than this is no sequence of any terminal's.
    private static let longestSequence = 32
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// Of what is pasted no more is taken; a query is shorter.
    private static let longestPaste = 1 << 16

    /// Whether it waits for the rest of something.
    var isWaiting: Bool { !bytes.isEmpty }

    /// Takes bytes; gives the keys that are whole.
    mutating func decode(_ new: some Sequence<UInt8>) -> [Key] {
        bytes += new
        var keys: [Key] = []
        var start = 0
        while start < bytes.count {
            if pasted != nil {
                guard let end = paste(from: start, &keys) else { break }
                start = end
                continue
            }
            guard let (key, length) = next(bytes[start...]) else { break }
            if let key { keys.append(key) }
            start += length
        }
        bytes.removeFirst(start)
        return joined(keys)
    }

    /// Takes what waits for what it is: nothing followed.
    mutating func flush() -> [Key] {
        // The end of what is pasted comes, however late.
        guard pasted == nil, let first = bytes.first else { return [] }
        bytes.removeFirst()
        let rest = bytes
        bytes = []
        let key: Key = first == 0x1B ? .escape : .text("\u{FFFD}")
        return [key] + decode(rest)
    }

    /// Neighbouring characters as one key, so that a burst of them asks for one search.
    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { keys, key in
            if case .text(let more) = key, case .text(let text)? = keys.last {
                keys[keys.count - 1] = .text(text + more)
            } else {
                keys.append(key)
            }
        }
    }

    // MARK: Pastes

    /// Where the paste ends; nil while it goes on.
    private mutating func paste(from start: Int, _ keys: inout [Key]) -> Int? {
        let rest = bytes[start...]
        var place = rest.startIndex
        while place < rest.endIndex {
            let tail = rest[place...]
            if tail.starts(with: Self.pasteEnd) {
                keep(rest[..<place])
                let text = String(decoding: pasted ?? [], as: UTF8.self)
                pasted = nil
                if !text.isEmpty { keys.append(.text(text)) }
                return place + Self.pasteEnd.count
            }
            // The end may be cut, too.
            if Self.pasteEnd.starts(with: tail) { break }
            place += 1
        }
        keep(rest[..<place])
        bytes.removeSubrange(start..<place)
        return nil
    }

    private mutating func keep(_ some: ArraySlice<UInt8>) {
        let room = Self.longestPaste - (pasted?.count ?? 0)
        pasted?.append(contentsOf: some.prefix(max(room, 0)))
    }

    // MARK: Keys

    /// The first key and its length, no key for a sequence that means nothing here; nil when it is
    /// not whole.
    private mutating func next(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        if first == 0x1B { return sequence(bytes) }
        if first < 0x20 || first == 0x7F { return (Self.controls[first], 1) }
        if first < 0x80 { return (.text(String(UnicodeScalar(first))), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let character = bytes.prefix(length)
        if let text = String(validating: character, as: UTF8.self), character.count == length {
            return (.text(text), length)
        }
        let isBeginning =
            (0xC2...0xF4).contains(first) && character.count < length
            && character.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
        return isBeginning ? nil : (.text("\u{FFFD}"), 1)
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .delete, 0x05: .end, 0x06: .right,
        0x08: .backspace, 0x09: .tab, 0x0A: .enter, 0x0B: .deleteToEnd, 0x0C: .redraw,
        0x0D: .enter, 0x0E: .down, 0x10: .up, 0x12: .earlier, 0x13: .later, 0x15: .deleteToStart,
        0x17: .deleteWord, 0x1A: .suspend, 0x7F: .backspace,
    ]

    /// An escape sequence, by ECMA-48: parameters, intermediates, a final byte.
    private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let body = bytes.dropFirst()
        guard let kind = body.first else { return nil }
        switch kind {
        case 0x5B:  // [
            let rest = body.dropFirst()
            guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) || $0 < 0x20 })
            else { return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil }
            // A control within a sequence ends it.
            if rest[end] < 0x20 { return (nil, end - bytes.startIndex) }
            let length = end - bytes.startIndex + 1
            let parameters = String(decoding: rest[..<end], as: UTF8.self)
            if rest[end] == 0x7E, parameters == "200" {
                pasted = []
                return (nil, length)
            }
            return (Self.key(parameters, UnicodeScalar(rest[end])), length)
        case 0x4F:  // O
            guard let final = body.dropFirst().first else { return nil }
            return (Self.key("", UnicodeScalar(final)), 3)
        case 0x62: return (.wordLeft, 2)  // Alt-B
        case 0x66: return (.wordRight, 2)  // Alt-F
        case 0x7F: return (.deleteWord, 2)
        case 0x3C: return (.firstHit, 2)
        case 0x3E: return (.lastHit, 2)
        case 0x1B: return (.escape, 1)
        default: return (nil, 2)
        }
    }

    private static func key(_ parameters: String, _ final: UnicodeScalar) -> Key? {
        let hasModifier = parameters.contains(";")
        switch (final, parameters.prefix { $0 != ";" }) {
        case ("A", _): return hasModifier ? .earlier : .up
        case ("B", _): return hasModifier ? .later : .down
        case ("C", _): return hasModifier ? .wordRight : .right
        case ("D", _): return hasModifier ? .wordLeft : .left
        case ("H", _), ("~", "1"), ("~", "7"): return hasModifier ? .firstHit : .home
        case ("F", _), ("~", "4"), ("~", "8"): return hasModifier ? .lastHit : .end
        case ("~", "3"): return .delete
        case ("~", "5"): return .pageUp
        case ("~", "6"): return .pageDown
        default: return nil
        }
    }
}
