#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    extension IndexFolder {
        /// The table that the index follows, in the file at a path: where the database was, or
        /// where it was moved to, which is noted. Nil where it follows none.
        ///
        /// - Throws: ``CommandError`` where another database is there; what the database throws.
        func followedTable(in path: String) throws -> IndexSettings.FollowedTable? {
            guard let followed = settings.followed, path != followed.database else {
                return settings.followed
            }
            var moved = followed
            moved.database = path
            guard try isSame(followed, moved) else { throw followed.isAnother }
            // What was published is as it was then.
            if index.generation == nil {
                var settings = settings
                settings.followed = moved
                try settings.save(to: self.path)
            }
            return moved
        }

        /// Whether two files are one, by another name; or the first one is gone, and the second one
        /// has what the index has come from.
        private func isSame(
            _ old: IndexSettings.FollowedTable, _ new: IndexSettings.FollowedTable
        ) throws -> Bool {
            if let file = Entry(Path(old.database)) {
                return file.identity == Entry(Path(new.database))?.identity
            }
            let database = try FollowedDatabase(new, columns: settings.fields, isReadOnly: true)
            defer { database.close() }
            return try index.followedState().map(database.isOf) ?? false
        }
    }

    extension IndexSettings.FollowedTable {
        /// What to say where another table is named.
        var isAnother: CommandError {
            CommandError(
                "this index follows the table \(table) of \(database); name another folder for "
                    + "another table or database")
        }

        /// Throws where the file of the database is not there any more.
        func checkIsThere() throws {
            guard Entry(Path(database)) == nil else { return }
            throw CommandError(
                "no file at \(database); if the database was moved, name the file: textindex drift "
                    + "--database FILE, or textindex follow FILE")
        }
    }

    /// The rows of the table that an index follows, by their identifiers.
    struct FollowedRows: Sendable {
        private let rows: TableRows
        private let path: String

        /// - Throws: ``CommandError`` where the database cannot be read.
        init(_ followed: IndexSettings.FollowedTable, columns: [String]) throws {
            path = followed.database
            try followed.checkIsThere()
            do {
                let database = try FollowedDatabase(followed, columns: columns, isReadOnly: true)
                rows = database.rows()
                try rows.source.check()
            } catch let error as DatabaseError {
                throw FollowedDatabase.error(followed.database, error)
            }
        }

        /// The row as it is now; nil where it is gone.
        ///
        /// - Throws: ``CommandError`` where the database cannot be read.
        func record(of identifier: Data) throws -> Record? {
            do {
                return try rows.objects(withIdentifiers: [identifier]).first?.object
            } catch let error as DatabaseError {
                throw FollowedDatabase.error(path, error)
            }
        }

        /// The identifiers of all rows whose records may be indexed.
        ///
        /// - Throws: ``CommandError`` where the database cannot be read.
        func identifiers(where isIndexable: (Record) -> Bool) throws -> Set<Data> {
            var identifiers: Set<Data> = []
            var next: Data?
            do {
                repeat {
                    let slice = try rows.objects(after: next, limit: SliceLimit())
                    for row in slice.objects where row.object.map(isIndexable) ?? false {
                        identifiers.insert(row.identifier)
                    }
                    next = slice.next
                } while next != nil
            } catch let error as DatabaseError {
                throw FollowedDatabase.error(path, error)
            }
            return identifiers
        }
    }
#endif
