#if GRDB
    import Foundation
    import TextSearch
    import TextSearchGRDB

    extension DriftCommand {
        /// What `--json` prints.
        private struct Report: Encodable {
            let compared: Int
            let missing: [String]
            let outdated: [String]
            let extra: [String]
            let failed: [Failure]
            /// Rows with keys that an index does not take.
            let leftOut: Int
            let isRepaired: Bool
        }

        /// A row that cannot be indexed.
        private struct Failure: Encodable {
            let row: String
            /// Nil after the first thousand.
            let reason: String?
        }

        func compare() async throws {
            try await IndexFolder.use(existing: location) { folder in
                if folder.index.generation != nil { throw IndexPlace.isReadOnly(location.path) }
                guard let followed = folder.settings.followed else {
                    throw CommandError(
                        "\(location.path) follows no table; textindex follow makes an index that does"
                    )
                }
                let path = try database.map(FollowedDatabase.path) ?? followed.database
                try await FollowedDatabase.reporting(path) {
                    guard let table = try folder.followedTable(in: path) else { return }
                    try table.checkIsThere()
                    try await compare(folder, table)
                }
            }
        }

        private func compare(
            _ folder: IndexFolder, _ followed: IndexSettings.FollowedTable
        ) async throws {
            let database = try FollowedDatabase(followed, columns: folder.settings.fields)
            defer { database.close() }
            let follower = try IndexFollower(
                folder.index,
                following: database.rows(
                    of: URL(
                        filePath: try IndexPlace.absolute(location.path),
                        directoryHint: .isDirectory)), options: FollowedDatabase.options)
            let drift = try await repair ? follower.repairDrift() : follower.drift()
            try Console.write(
                json ? Self.json(drift, isRepaired: repair) : Self.text(drift, repair))
            if !drift.isEmpty, !repair { throw Outcome.damaged }
        }

        private static func json(_ drift: DriftReport, isRepaired: Bool) throws -> String {
            func texts(_ rows: [Data]) -> [String] { rows.map(text) }
            return try Report(
                compared: drift.comparedCount, missing: texts(drift.missing),
                outdated: texts(drift.outdated), extra: texts(drift.extra),
                failed: failures(drift), leftOut: drift.skippedCount,
                isRepaired: isRepaired && !drift.isEmpty
            ).jsonDocument()
        }

        private static func text(_ row: Data) -> String { String(decoding: row, as: UTF8.self) }

        private static func failures(_ drift: DriftReport) -> [Failure] {
            drift.failed.enumerated().map { place, row in
                let reasons = drift.failureReasons
                return Failure(
                    row: text(row), reason: place < reasons.count ? reasons[place] : nil)
            }
        }

        private static let mostShown = 10

        private static func text(_ drift: DriftReport, _ isRepaired: Bool) -> String {
            var lines = ["\(Format.count(drift.comparedCount, "row")) compared"] + leftOut(drift)
            for (name, identifiers) in [
                ("missing", drift.missing), ("outdated", drift.outdated), ("extra", drift.extra),
            ] where !identifiers.isEmpty {
                let shown = identifiers.prefix(mostShown).map {
                    Printable.line(String(decoding: $0, as: UTF8.self))
                }
                let rest = identifiers.count > mostShown ? ", …" : ""
                lines.append(
                    "\(Format.count(identifiers.count)) \(name): \(shown.joined(separator: ", "))\(rest)"
                )
            }
            if drift.isEmpty {
                let isWhole = drift.failed.isEmpty && drift.skippedCount == 0
                lines.append(isWhole ? "nothing differs" : "nothing else differs")
            } else if isRepaired {
                lines.append("all of it was put right")
            }
            return lines.joined(separator: "\n") + "\n"
        }

        /// What to say of rows that the index cannot have.
        private static func leftOut(_ drift: DriftReport) -> [String] {
            var lines: [String] = []
            if !drift.failed.isEmpty {
                lines.append("\(Format.count(drift.failed.count, "row")) cannot be indexed")
            }
            let failures = failures(drift)
            for failure in failures.prefix(mostShown) {
                lines.append(Printable.line("  \(failure.row): \(failure.reason ?? "")"))
            }
            if failures.count > mostShown {
                lines.append("  and \(Format.count(failures.count - mostShown)) more")
            }
            if drift.skippedCount > 0 { lines.append(FollowCommand.leftOut(drift.skippedCount)) }
            return lines
        }
    }
#endif
