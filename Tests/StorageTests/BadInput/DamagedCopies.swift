#if os(Linux) || os(macOS)
    import Foundation

    @testable import TestSupport
    @testable import TextSearch

    /// A closed index of two segments, tombstones and a journal, and damaged copies of it: what
    /// each of them says.
    struct DamagedCopies {
        /// What became of a damaged copy.
        enum Verdict: String, CaseIterable {
            /// An error as it was opened.
            case refused
            /// An error as it was searched, or a finding of `verify`.
            case found
            /// The state after some of the operations, as a power cut leaves, and told of, but for
            /// a log that ends between two writes.
            case cut
            /// Every answer is right, and the index verifies.
            case harmless
            /// Anything else.
            case wrong
        }

        /// Where there is damage, and of which kind.
        struct Damage: CustomStringConvertible {
            enum Kind: String, CaseIterable { case flip, cut, zeros, noise }

            var kind: Kind
            var file: String
            var place: Int
            /// The bit, or how many bytes.
            var amount: Int

            var description: String { "\(kind) \(amount) at byte \(place) of \(file)" }
        }

        private let directory: URL
        private let contents: DirectoryContents
        private let right: IndexAnswers
        /// What the index said after each of the writes that are in its log.
        private var earlier: [IndexAnswers] = []
        /// The ends of the writes in the log.
        private let writeEnds: Set<Int>

        init(in folder: URL) throws {
            directory = folder.appendingPathComponent("index")
            var configuration = tinyBuffers()
            configuration.bufferSize = 1 << 20
            let index = try openNotes(at: directory, configuration)
            for id in 0..<80 { index.indexObject(WorkNote(id: id, version: 1)) }
            index.indexingQueue.waitUntilAllOperationsAreFinished()
            try index.flush()
            for id in 60..<120 { index.indexObject(WorkNote(id: id, version: 2)) }
            index.removeIndex(forIdentifier: WorkNote.identifier(3))
            index.indexingQueue.waitUntilAllOperationsAreFinished()
            try index.flush()
            try index.store.compact()
            for id in 117..<125 {
                earlier.append(try IndexAnswers(index))
                let operation =
                    id == 117
                    ? index.removeIndex(forIdentifier: WorkNote.identifier(5))
                    : index.indexObject(WorkNote(id: id, version: 3))
                operation.waitUntilFinished()
            }
            right = try IndexAnswers(index)
            try index.close()
            contents = try DirectoryContents(of: directory)
            let log = contents.files.first { $0.key.hasSuffix(".log") && !$0.value.isEmpty }
            writeEnds = Self.writeEnds([UInt8](log?.value ?? Data()))
        }

        /// Where the writes of a log of LevelDB end: blocks of 32 KB, in them pieces with four
        /// bytes of checksum, two of length and one that is 1 for a whole write, 4 for the last
        /// piece of one.
        private static func writeEnds(_ log: [UInt8]) -> Set<Int> {
            let (block, header) = (32 << 10, 7)
            var ends: Set<Int> = [0]
            var place = 0
            while place + header <= log.count {
                if block - place % block < header {
                    place += block - place % block
                    continue
                }
                let kind = log[place + 6]
                place += header + Int(log[place + 4]) + Int(log[place + 5]) << 8
                if kind == 1 || kind == 4 { ends.insert(place) }
            }
            return ends
        }

        /// The names of the files that hold anything, in order.
        var files: [String] {
            contents.files.filter { !$0.value.isEmpty }.keys.sorted()
        }

        /// Damage in any file, all being as likely.
        func randomDamage(
            _ kind: Damage.Kind, _ generator: inout SeededGenerator
        ) -> Damage {
            let file = generator.element(files)
            let count = contents.files[file]?.count ?? 1
            let place = generator.int(0...(count - 1))
            let amount = kind == .flip ? generator.int(0...7) : generator.int(1...64)
            return Damage(kind: kind, file: file, place: place, amount: amount)
        }

        private func damaged(_ damage: Damage, _ generator: inout SeededGenerator) -> Data {
            var data = contents.files[damage.file] ?? Data()
            let run = damage.place..<min(damage.place + damage.amount, data.count)
            switch damage.kind {
            case .flip: data[damage.place] ^= 1 << damage.amount
            case .cut: data = data.prefix(damage.place)
            case .zeros: data.resetBytes(in: run)
            case .noise:
                for place in run { data[place] = .random(in: 0...255, using: &generator) }
            }
            return data
        }

        /// Puts the damage in a copy, opens it, asks it everything and verifies it.
        func verdict(
            on damage: Damage, _ generator: inout SeededGenerator
        ) throws -> (verdict: Verdict, why: String) {
            var copy = contents
            copy.files[damage.file] = damaged(damage, &generator)
            try copy.write(to: directory)
            do {
                let index = try openNotes(at: directory)
                defer { try? index.close() }
                return try verdict(on: index, damage)
            } catch let error as TextIndexError {
                let isRight = [.corrupted, .io, .unsupportedFormat, .invalidArgument]
                    .contains(error.code)
                return (isRight ? .refused : .wrong, "\(error)")
            } catch {
                return (.wrong, "\(error)")
            }
        }

        private func verdict(
            on index: TextIndex<WorkNote>, _ damage: Damage
        ) throws -> (verdict: Verdict, why: String) {
            let answers: IndexAnswers
            do {
                answers = try IndexAnswers(index)
            } catch let error as TextIndexError {
                return (error.code == .corrupted ? .found : .wrong, "\(error)")
            }
            let report: VerificationReport
            do {
                report = try index.verify(depth: .full)
            } catch let error as TextIndexError {
                return (error.code == .corrupted ? .found : .wrong, "\(error)")
            }
            if answers == right { return (report.isClean ? .harmless : .found, "") }
            guard earlier.contains(answers) else {
                return (.wrong, "another answer: \(index.count) objects, \(index.recovery)")
            }
            let isBetweenWrites = damage.kind == .cut && writeEnds.contains(damage.place)
            let isTold = index.recovery.discardedByteCount > 0
            return isTold || isBetweenWrites
                ? (.cut, "") : (.wrong, "the state of before, without a word")
        }
    }
#endif
