import Foundation
package import TextIndexInterface
import TextSearch

#if GRDB
    import GRDB
    import TextSearchGRDB
#endif

extension IndexFolder {
    /// What the server has to know of the index.
    ///
    /// - Parameters:
    ///   - textLength: how many bytes of an object's text are read to show it; none of a longer
    ///     one.
    ///   - database: the database that the index follows; nil where it was when it was followed.
    /// - Returns: The index, and what the server has to know of it.
    func served(textLength: Int, following database: String?) -> ServedIndex<Record> {
        let source = SourceText(settings: settings, longest: textLength)
        var served = ServedIndex(
            index, attributes: settings.attributeChoices.map(\.name),
            ranking: settings.weight == nil ? .relevance : .combined,
            title: { Origin($0.context)?.title }
        ) { item in
            switch source.text(of: item) {
            case .strings(let strings), .beginnings(let strings): strings
            case .unavailable: nil
            }
        }
        if var followed = settings.followed {
            if let database { followed.database = database }
            served.following = { [followed, index, columns = settings.fields] in
                followed.lag(of: index, columns: columns)
            }
        }
        return served
    }
}

extension IndexSettings.FollowedTable {
    /// How far an index is behind the table. Nothing is written to the database.
    func lag(of index: TextIndex<Record>, columns: [String]) -> FollowedTable {
        func lag(
            _ phase: FollowedTable.Phase, _ behind: Int?, _ problem: String? = nil
        ) -> FollowedTable {
            FollowedTable(table: table, phase: phase, behind: behind, problem: problem)
        }
        let stored: FollowedState?
        do {
            stored = try index.followedState()
        } catch {
            return lag(.new, nil, "the index cannot say what it has read")
        }
        guard let stored else { return lag(.new, nil) }
        let phase: FollowedTable.Phase =
            switch stored.phase {
            case .new: .new
            case .reading: .reading
            case .sweeping: .sweeping
            case .following: .following
            }
        // While rows are read nobody knows how many of the changes since are read with them.
        guard phase == .following else { return lag(phase, nil) }
        #if GRDB
            do {
                let database = try FollowedDatabase(self, columns: columns, isReadOnly: true)
                defer { database.close() }
                let source = database.rows().source
                return lag(phase, try source.changeCount(after: stored.position))
            } catch let error as TextIndexError where error.code == .historyLost {
                return lag(
                    phase, nil, "the index stands at no place of the log; all rows will be compared"
                )
            } catch let error as TextIndexError where error.code == .invalidArgument {
                return lag(phase, nil, "the table is not there, or has other columns")
            } catch let error as TextIndexError where error.code == .unsupportedFormat {
                return lag(phase, nil, "a newer version made the log of the database")
            } catch let error as DatabaseError where FollowedDatabase.isHeld(error) {
                return lag(phase, nil, "another program has locked the database")
            } catch {
                // Where the database lies is nothing that clients have to know.
                return lag(phase, nil, "the database cannot be read")
            }
        #else
            return lag(phase, nil, "this program was built without databases")
        #endif
    }
}

extension IndexSource where Object == Record {
    /// The index of a folder, or what was published to it.
    ///
    /// - Throws: ``CommandError`` when there is none, or when a database is named that it does not
    ///   follow.
    package init(
        name: String, path: String, textLength: Int, searchMemory: Int, cacheSize: Int,
        trustedOwners: [UInt32] = [], following: String? = nil
    ) throws {
        let place = try IndexPlace(existing: path)
        let url = place.url
        if following != nil, place.settings.followed == nil {
            throw CommandError("\(path) follows no table; --following is for one that does")
        }
        let database = try following.map { file in
            guard let absolute = Path(file).absolute().exactText else {
                throw CommandError("the path of the database must be UTF-8; rename it")
            }
            guard Entry(Path(absolute))?.isFile ?? false else {
                throw CommandError("no file at \(file); name the file of an SQLite database")
            }
            return absolute
        }
        var newest: (@Sendable () throws -> Int?)?
        if place.isPublished {
            newest = { try TextIndex<Record>.newestGeneration(published: url) }
        }
        self.init(
            name: name, newest: newest,
            open: {
                try IndexFolder(
                    existing: path, searchMemory: searchMemory, cacheSize: cacheSize,
                    trustedOwners: trustedOwners
                ).served(textLength: textLength, following: database)
            })
    }
}
