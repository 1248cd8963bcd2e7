/// What was decoded, document by document.
extension PostingsChunk {
    /// Whether one of some ascending documents is there; `first` is the first of the segment.
    borrowing func holds(_ wanted: ArraySlice<UInt32>, from first: UInt32) -> Bool {
        var place = 0
        for document in wanted {
            place = documents.withElements {
                $0.firstPlace(of: document &- first, from: place)
            }
            if place < documents.count, documents[place] == document &- first { return true }
        }
        return false
    }

    /// Calls `body` with each of some documents that are here, and each of its runs. The documents
    /// ascend and count from `first` on.
    borrowing func forEachRun(
        of wanted: ArraySlice<UInt32>, from first: UInt32,
        _ body: (_ document: UInt32, _ run: PostingsRun) -> Void
    ) {
        var place = 0
        for document in wanted {
            place = documents.withElements {
                $0.firstPlace(of: document &- first, from: place)
            }
            guard place < documents.count else { return }
            if documents[place] != document &- first { continue }
            for run in runRange(at: place) { body(documents[place], runs[run]) }
        }
    }

    /// Calls `body` with each document and each of its runs.
    @inline(__always)
    borrowing func forEachRun(_ body: (_ document: UInt32, _ run: PostingsRun) -> Void) {
        documents.withElements { documents in
            runEnds.withElements { ends in
                runs.withElements { runs in
                    var run = 0
                    for index in 0..<documents.count {
                        let end = Int(ends[index])
                        while run < end {
                            body(documents[index], runs[run])
                            run &+= 1
                        }
                    }
                }
            }
        }
    }

    /// The runs of the document at `index`.
    @inline(__always)
    borrowing func runRange(at index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(runEnds[index - 1]))..<Int(runEnds[index])
    }
}
