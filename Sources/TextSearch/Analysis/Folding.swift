/// A word as it is compared: without case, accents, width and other differences of writing.
struct FoldedWord {
    /// The folded word, UTF-8, of at most 255 bytes.
    var bytes: [UInt8] = []
    /// Whether every scalar gave one scalar of the same UTF-16 length, so that offsets in the text follow from the term.
    var isRegular = true
    /// For each character of the text, how many bytes of the term and how many UTF-16 units of the text it has; only to be
    /// read when the word is not regular.
    var clusters: [Cluster] = []

    struct Cluster {
        var foldedLength: Int
        var utf16Length: Int
    }
}

/// Folds words: full case folding, compatibility forms, width, letters that people type plainly, marks that are no vowels, and what is
/// invisible. The same on every machine, and under every locale; canonically equal words fold to the same bytes.
///
/// **Thread safety**: an immutable value.
struct Folder: Sendable {
    /// More marks than this on one character are left out, so that time stays linear (as in UAX #15, stream-safe text).
    private static let maximumMarks = 30

    private let tables = UnicodeTables.shared

    /// What goes into the analyzer's fingerprint.
    let identity =
        "uax29+fold, unicode \(UnicodeData.unicodeVersion), tables \(UnicodeData.tableVersion)"

    /// Folds one word.
    ///
    /// Complexity: linear.
    func fold(_ word: UnsafeBufferPointer<UInt8>, into result: inout FoldedWord) {
        result.bytes.removeAll(keepingCapacity: true)
        result.clusters.removeAll(keepingCapacity: true)
        result.isRegular = true
        var index = 0
        var scalars: [UInt32] = []
        while index < word.count {
            let start = index
            var utf16 = 0
            var count = 0
            scalars.removeAll(keepingCapacity: true)
            repeat {
                let (scalar, length) = UTF8Decoding.scalar(at: index, in: word)
                index += length
                count += 1
                utf16 += UTF8Decoding.utf16Length(scalar)
                if count <= Self.maximumMarks + 1 { append(scalar, to: &scalars) }
            } while index < word.count && continuesCharacter(at: index, in: word, from: start)
            compose(&scalars)
            let before = result.bytes.count
            for scalar in scalars { UTF8Decoding.append(scalar, to: &result.bytes) }
            if result.bytes.count > TermTable.maximumTermLength {
                result.bytes.removeLast(result.bytes.count - before)
                cut(&result, utf16: utf16)
                return
            }
            let foldedUnits = scalars.reduce(0) { $0 + UTF8Decoding.utf16Length($1) }
            if scalars.count != count || foldedUnits != utf16 { result.isRegular = false }
            result.clusters.append(
                .init(foldedLength: result.bytes.count - before, utf16Length: utf16))
        }
    }

    /// The rest of the word, from a character of `utf16` units on, is not part of the term.
    private func cut(_ result: inout FoldedWord, utf16: Int) {
        result.clusters.append(.init(foldedLength: 0, utf16Length: utf16))
    }

    /// A text folded as one word, for what is compared to terms.
    func fold(_ text: String) -> String {
        var text = text
        var folded: [UInt8] = []
        text.withUTF8 { bytes in
            var scalars: [UInt32] = []
            var index = 0
            while index < bytes.count {
                let start = index
                var count = 0
                scalars.removeAll(keepingCapacity: true)
                repeat {
                    let (scalar, length) = UTF8Decoding.scalar(at: index, in: bytes)
                    index += length
                    count += 1
                    if count <= Self.maximumMarks + 1 { append(scalar, to: &scalars) }
                } while index < bytes.count && continuesCharacter(at: index, in: bytes, from: start)
                compose(&scalars)
                for scalar in scalars { UTF8Decoding.append(scalar, to: &folded) }
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Whether what is at `index` belongs to the character that began at `start`.
    @inline(__always)
    private func continuesCharacter(
        at index: Int, in word: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Bool {
        if word[index] < 0x80 { return false }
        return !GraphemeBreaks.isBoundary(at: index, in: word)
    }

    @inline(__always)
    private func append(_ scalar: UInt32, to scalars: inout [UInt32]) {
        if scalar < 0x80 {
            scalars.append(scalar &- 0x41 < 26 ? scalar + 32 : scalar)
            return
        }
        let place = tables.foldPlace(scalar)
        if place == 0 {
            scalars.append(scalar)
        } else {
            scalars.append(contentsOf: tables.fold(at: place))
        }
    }

    /// Puts marks into canonical order and composes what is left.
    private func compose(_ scalars: inout [UInt32]) {
        guard scalars.count > 1 else { return }
        order(&scalars)
        var output = 1
        var starter = 0
        var lastClass: UInt8 = 0
        for index in 1..<scalars.count {
            let scalar = scalars[index]
            let kind = tables.properties(scalar).combiningClass
            let isBlocked = output > starter + 1 && (lastClass >= kind || lastClass == 0)
            if !isBlocked, let composite = tables.composite(scalars[starter], scalar) {
                scalars[starter] = composite
                continue
            }
            if kind == 0 { starter = output }
            lastClass = kind
            scalars[output] = scalar
            output += 1
        }
        scalars.removeLast(scalars.count - output)
    }

    private func order(_ scalars: inout [UInt32]) {
        for index in 1..<scalars.count {
            let kind = tables.properties(scalars[index]).combiningClass
            guard kind > 0 else { continue }
            var place = index
            while place > 0, tables.properties(scalars[place - 1]).combiningClass > kind {
                scalars.swapAt(place, place - 1)
                place -= 1
            }
        }
    }
}
