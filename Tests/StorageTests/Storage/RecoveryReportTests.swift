import Testing

@testable import TextSearch

@Suite("What opening left out")
struct RecoveryReportTests {
    @Test("A recovery report has one sentence a file, and the bytes of all")
    func description() {
        var report = RecoveryReport([])
        #expect(report.discardedByteCount == 0)
        #expect(report.description.isEmpty)
        report.tails = [
            .init(file: "000004.log", offset: 100, byteCount: 30, copy: nil),
            .init(file: "MANIFEST-000002", offset: 7, byteCount: 5, copy: "000002.discarded"),
        ]
        #expect(report.discardedByteCount == 35)
        #expect(
            report.description
                == "Discarded 30 bytes of 000004.log behind byte 100, where the last whole write ends. "
                + "Discarded 5 bytes of MANIFEST-000002 behind byte 7, where the last whole write ends; they are kept in 000002.discarded."
        )
    }
}
