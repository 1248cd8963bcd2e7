import Testing

@testable import TextSearch

extension TextIndex {
    /// Closes the index after proving its state. One that is closed already is left alone.
    func closeVerified(sourceLocation: SourceLocation = #_sourceLocation) throws {
        do {
            let report = try verify(depth: .full)
            #expect(report.isClean, "\(report)", sourceLocation: sourceLocation)
        } catch let error as TextIndexError where error.code == .closed {
            // What a test closed, it verified there.
        }
        try close()
    }
}
