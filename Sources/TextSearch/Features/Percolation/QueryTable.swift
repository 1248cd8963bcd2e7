/// Queries by the terms that an object must have for them to match.
///
/// **Thread safety**: a value.
struct QueryTable<Name: Hashable & Sendable>: Sendable {
    struct Entry: Sendable {
        var name: Name
        var query: Query
        /// Whether attributes, weights or identifiers are asked for.
        var asksForRecord: Bool
        var terms: NecessaryTerms = .unknown
    }

    /// By the numbers of the queries, which grow.
    private(set) var entries: [Int: Entry] = [:]
    private var numbers: [Name: Int] = [:]
    private var lastNumber = 0
    private var byKey: [NecessaryTerms.Key: Set<Int>] = [:]
    /// How many prefixes of each length there are.
    private var prefixLengths: [Int: Int] = [:]
    /// Those that any object may match.
    private var others: Set<Int> = []
    /// Which analyzer the terms were found by.
    private var analyzerNumber = -1

    var count: Int { entries.count }

    /// The names, in the order in which their queries were added.
    var names: [Name] { entries.sorted { $0.key < $1.key }.map(\.value.name) }

    subscript(name: Name) -> Query? { numbers[name].flatMap { entries[$0]?.query } }

    mutating func add(
        _ query: Query, as name: Name, _ finder: NecessaryTermFinder, _ analyzerNumber: Int
    ) {
        compile(finder, analyzerNumber)
        remove(name)
        lastNumber += 1
        numbers[name] = lastNumber
        let entry = Entry(
            name: name, query: query, asksForRecord: RecordResolver.isNeeded(for: query))
        enter(entry, as: lastNumber, finder)
    }

    @discardableResult
    mutating func remove(_ name: Name) -> Query? {
        guard let number = numbers.removeValue(forKey: name),
            let entry = entries.removeValue(forKey: number)
        else { return nil }
        others.remove(number)
        for key in entry.terms.keys {
            byKey[key]?.remove(number)
            if byKey[key]?.isEmpty ?? false { byKey[key] = nil }
            if case .prefix(let bytes) = key { count(bytes, -1) }
        }
        return entry.query
    }

    /// Finds the terms anew when the analyzer is another one.
    mutating func compile(_ finder: NecessaryTermFinder, _ number: Int) {
        guard number != analyzerNumber else { return }
        analyzerNumber = number
        byKey = [:]
        prefixLengths = [:]
        others = []
        for (number, entry) in entries { enter(entry, as: number, finder) }
    }

    private mutating func enter(_ entry: Entry, as number: Int, _ finder: NecessaryTermFinder) {
        var entry = entry
        entry.terms = finder.terms(of: entry.query)
        entries[number] = entry
        switch entry.terms {
        case .unknown, .nothingAsked: others.insert(number)
        case .anyOf(let keys):
            for key in keys {
                byKey[key, default: []].insert(number)
                if case .prefix(let bytes) = key { count(bytes, 1) }
            }
        }
    }

    private mutating func count(_ prefix: [UInt8], _ change: Int) {
        let count = (prefixLengths[prefix.count] ?? 0) + change
        prefixLengths[prefix.count] = count > 0 ? count : nil
    }

    /// The queries that an object may match, in the order in which they were added.
    ///
    /// Complexity: a look-up for each term of the object, its stems, and its beginnings of the
    /// lengths that are asked for.
    ///
    /// Nil where the time is over before they are known.
    func candidates(for object: MemorySegment, _ clock: SearchClock) -> [Entry]? {
        var found = others
        func look(_ key: NecessaryTerms.Key) {
            if let numbers = byKey[key] { found.formUnion(numbers) }
        }
        let lengths = prefixLengths.keys.sorted()
        for number in 0..<object.terms.count {
            if clock.isOver(afterWork: 4 + lengths.count) { return nil }
            let term = object.terms.withTerm(number) { Array($0) }
            look(.term(term))
            for length in lengths where length <= term.count {
                look(.prefix(Array(term[..<length])))
            }
        }
        object.stems.forEachKey { key, _ in look(.stem(Array(key))) }
        return found.sorted().compactMap { entries[$0] }
    }
}

extension NecessaryTerms {
    fileprivate var keys: Set<Key> {
        if case .anyOf(let keys) = self { keys } else { [] }
    }
}
