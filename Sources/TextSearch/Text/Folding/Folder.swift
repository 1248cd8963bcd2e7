import CUnicode

/// A word as it is compared: without case, accents, width and other differences of writing.
struct FoldedWord {
    /// The folded word, or what filters made of it, in UTF-8: at most 255 bytes, none of them zero.
    /// Cut behind a whole character.
    var bytes: [UInt8] = []
    /// Whether every scalar gave one scalar of the same UTF-16 length and the same part in a
    /// character, so that offsets in the text follow from the term.
    var isRegular = true
    /// For each character of the text, how many bytes of the term and how many UTF-16 units of the
    /// text it has, up to where the term was cut; only to be read when the word is not regular.
    var clusters: [Cluster] = []
    /// Room for the scalars of a character, kept between words.
    fileprivate var scratch: [UInt32] = []

    struct Cluster: Equatable {
        var foldedLength: Int
        var utf16Length: Int
    }
}

/// Folds words: full case folding, compatibility forms, width, letters that people type plainly,
/// marks that are no vowels, and what is invisible. The same on every machine, and under every
/// locale; canonically equal words fold to the same bytes, and folding twice changes nothing.
///
/// **Thread safety**: an immutable value.
struct Folder: Sendable {
    /// More marks than this on one character are left out, so that time stays linear (as in UAX
    /// #15, stream-safe text).
    private static let maximumMarks = 30

    private let tables = UnicodeTables.shared
    /// What scalars fold to when some of the whole fold is left out.
    private let table: FoldTable?
    private let joinsAm: Bool

    /// What goes into the analyzer's fingerprint.
    let identity: String

    init(_ folding: Folding = .all) {
        table = folding.isSuperset(of: .all) ? nil : FoldTable.table(for: folding)
        joinsAm = folding.contains(.compatibility)
        identity =
            "uax29+fold, unicode \(String(cString: cunicode_version())), tables \(cunicode_table_version())"
            + folding.identity
    }

    /// Whether nothing of the fold is left out, so that `PlainFold` gives the same.
    var isWhole: Bool { table == nil }

    /// Folds one word.
    ///
    /// Complexity: linear.
    func fold(_ word: UnsafeBufferPointer<UInt8>, into result: inout FoldedWord) {
        var scratch: [UInt32] = []
        swap(&scratch, &result.scratch)
        result.bytes.removeAll(keepingCapacity: true)
        result.clusters.removeAll(keepingCapacity: true)
        result.isRegular = true
        forEachCharacter(of: word, &scratch) { scalars, utf16, isRegular in
            let before = result.bytes.count
            for scalar in scalars { UTF8Decoding.append(scalar, to: &result.bytes) }
            if result.bytes.count > TermTable.maximumTermLength {
                // The rest of the word is not part of the term.
                result.bytes.removeLast(result.bytes.count - before)
                result.clusters.append(.init(foldedLength: 0, utf16Length: utf16))
                return false
            }
            result.isRegular = result.isRegular && isRegular
            result.clusters.append(
                .init(foldedLength: result.bytes.count - before, utf16Length: utf16))
            return true
        }
        swap(&scratch, &result.scratch)
    }

    /// A text folded as one word, for what is compared to terms.
    func fold(_ text: String) -> String {
        var text = text
        var folded: [UInt8] = []
        _ = text.withUTF8 { fold($0, into: &folded, limit: .max) }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Folds one word; false when the result is longer than `limit` bytes.
    ///
    /// Complexity: linear in the length up to the limit.
    func fold(
        _ word: UnsafeBufferPointer<UInt8>, into result: inout [UInt8], limit: Int
    ) -> Bool {
        var scratch: [UInt32] = []
        result.removeAll(keepingCapacity: true)
        forEachCharacter(of: word, &scratch) { scalars, _, _ in
            for scalar in scalars { UTF8Decoding.append(scalar, to: &result) }
            return result.count <= limit
        }
        return result.count <= limit
    }

    /// Calls `body` with the fold of each character, composed, its length in the text in UTF-16
    /// units, and whether it is regular, until it returns false. What folds to nothing and belongs
    /// to no character comes alone.
    ///
    /// A character ends where one ends in the text and in what it folds to, so that nothing is left
    /// to compose across two.
    @inline(__always)
    private func forEachCharacter(
        of word: UnsafeBufferPointer<UInt8>, _ scalars: inout [UInt32],
        _ body: ([UInt32], _ utf16: Int, _ isRegular: Bool) -> Bool
    ) {
        var index = 0
        var utf16 = 0
        var isRegular = true
        /// UTF-16 units of what folds to nothing and does not belong to the character before it.
        var pending = 0
        var previous = GraphemeBreakClass.control
        var previousKept = GraphemeBreakClass.control
        scalars.removeAll(keepingCapacity: true)
        while index < word.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: word)
            let properties = tables.properties(scalar)
            let units = UTF8Decoding.utf16Length(scalar)
            let folds = fold(scalar, properties)
            if let folds, folds.isEmpty {
                if pending == 0, !scalars.isEmpty,
                    GraphemeBreaks.isJoined(previous, properties.graphemeBreak)
                {
                    utf16 += units
                    isRegular = false
                } else {
                    pending += units
                }
            } else {
                let kind = properties.graphemeBreak
                let first = folds.map { tables.properties($0[$0.startIndex]).graphemeBreak } ?? kind
                let endsAm = joinsAm && ThaiAm.ends(with: scalar, after: scalars)
                let continues =
                    endsAm
                    || goesOn(scalars.last, first, previousKept, kind)
                    || previous == .zwj && properties.isPictographic && !scalars.isEmpty
                        && !GraphemeBreaks.isBoundary(at: index, in: word)
                if continues {
                    if pending > 0 { isRegular = false }
                    utf16 += pending
                    pending = 0
                } else {
                    guard end(&scalars, utf16, isRegular, pending, body) else { return }
                    pending = 0
                    utf16 = 0
                    isRegular = true
                }
                utf16 += units
                let isKept = append(
                    scalar, folds, endsAm: endsAm, units: first == kind ? units : 0, to: &scalars)
                isRegular = isRegular && isKept
                previousKept = kind
            }
            previous = properties.graphemeBreak
            index += length
        }
        _ = end(&scalars, utf16, isRegular, pending, body)
    }

    /// Adds what a scalar folds to; whether that is one of so many UTF-16 units, or itself.
    @inline(__always)
    private func append(
        _ scalar: UInt32, _ folds: Slice<UnsafeBufferPointer<UInt32>>?, endsAm: Bool, units: Int,
        to scalars: inout [UInt32]
    ) -> Bool {
        if scalars.count > Self.maximumMarks { return false }
        if endsAm {
            ThaiAm.join(scalar, to: &scalars)
            return false
        }
        guard let folds else {
            scalars.append(scalar)
            return true
        }
        scalars.append(contentsOf: folds)
        return folds.count == 1 && UTF8Decoding.utf16Length(folds[folds.startIndex]) == units
    }

    /// Gives a character that has ended, then what folds to nothing after it; false where no more
    /// is wanted.
    @inline(__always)
    private func end(
        _ scalars: inout [UInt32], _ utf16: Int, _ isRegular: Bool, _ pending: Int,
        _ body: ([UInt32], _ utf16: Int, _ isRegular: Bool) -> Bool
    ) -> Bool {
        if !scalars.isEmpty {
            let isComposed = compose(&scalars)
            if !body(scalars, utf16, isRegular && !isComposed) { return false }
            scalars.removeAll(keepingCapacity: true)
        }
        return pending == 0 || body(scalars, pending, false)
    }

    /// Whether a scalar continues a character, by its class in the text or by that of the first of
    /// what it folds to.
    @inline(__always)
    private func goesOn(
        _ last: UInt32?, _ first: GraphemeBreakClass, _ previousKept: GraphemeBreakClass,
        _ kind: GraphemeBreakClass
    ) -> Bool {
        guard let last else { return false }
        return GraphemeBreaks.isJoined(previousKept, kind)
            || GraphemeBreaks.isJoined(tables.properties(last).graphemeBreak, first)
    }

    /// Of U+0000, under every folding: zero bytes end terms where they are stored.
    private static var nothing: Slice<UnsafeBufferPointer<UInt32>> {
        UnsafeBufferPointer(start: nil, count: 0)[...]
    }

    /// What a scalar folds to; nil for itself.
    @inline(__always)
    private func fold(
        _ scalar: UInt32, _ properties: ScalarProperties
    ) -> Slice<UnsafeBufferPointer<UInt32>>? {
        guard properties.isFolded else { return scalar == 0 ? Self.nothing : nil }
        if let table { return table.fold(scalar) }
        let place = tables.foldPlace(scalar)
        return place == 0 ? nil : tables.fold(at: place)
    }

    /// Puts marks into canonical order and composes what is left; whether that changed anything.
    private func compose(_ scalars: inout [UInt32]) -> Bool {
        guard scalars.count > 1 else { return false }
        var isChanged = order(&scalars)
        var output = 1
        var starter = 0
        var lastClass: UInt8 = 0
        for index in 1..<scalars.count {
            let scalar = scalars[index]
            let kind = tables.properties(scalar).combiningClass
            let isBlocked = output > starter + 1 && (lastClass >= kind || lastClass == 0)
            if !isBlocked, let composite = composite(scalars[starter], scalar) {
                scalars[starter] = composite
                isChanged = true
                continue
            }
            if kind == 0 { starter = output }
            lastClass = kind
            scalars[output] = scalar
            output += 1
        }
        scalars.removeLast(scalars.count - output)
        return isChanged
    }

    @inline(__always)
    private func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if let table { return table.composite(first, second) }
        return tables.composite(first, second)
    }

    /// Sorts runs of marks; few enough of them (see `maximumMarks`) that insertion does.
    private func order(_ scalars: inout [UInt32]) -> Bool {
        var isChanged = false
        for index in 1..<scalars.count {
            let kind = tables.properties(scalars[index]).combiningClass
            guard kind > 0 else { continue }
            var place = index
            while place > 0, tables.properties(scalars[place - 1]).combiningClass > kind {
                scalars.swapAt(place, place - 1)
                place -= 1
                isChanged = true
            }
        }
        return isChanged
    }
}
