extension FoldedWord {
    /// The words that begin in the first character of a run's word, where a character of it folds
    /// to several: of ㍿, 株式 式会 会社 社; nil where none does.
    ///
    /// What a match shows of each is the whole characters of the text.
    ///
    /// Complexity: linear in the word.
    func pieces() -> [FoldedWord]? {
        guard !isRegular, let first = clusters.first, first.foldedLength > 0 else { return nil }
        let starts = bytes.withUnsafeBufferPointer { bytes in
            bytes.indices.filter { GraphemeBreaks.isBoundary(at: $0, in: bytes) }
        }
        guard starts.count > clusters.count(where: { $0.foldedLength > 0 }) else { return nil }
        return starts.prefix { $0 < first.foldedLength }.indices.map { place in
            let end = place + 2 < starts.count ? starts[place + 2] : bytes.count
            return piece(starts[place]..<end)
        }
    }

    private func piece(_ range: Range<Int>) -> FoldedWord {
        var piece = FoldedWord()
        piece.bytes = Array(bytes[range])
        piece.isRegular = false
        var start = 0
        for cluster in clusters where start < range.upperBound {
            let part = (start..<(start + cluster.foldedLength)).clamped(to: range)
            piece.clusters.append(
                Cluster(foldedLength: part.count, utf16Length: cluster.utf16Length))
            start += cluster.foldedLength
        }
        return piece
    }
}
