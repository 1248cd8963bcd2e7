import Foundation
import TextSearch

/// The screen, the keys and the searches of one run of `repl`.
///
/// **Thread safety**: belongs to one thread, which waits for keys and messages.
final class ReplRun {
    private let terminal: Terminal
    private let options: ReplOptions
    private let place: IndexPlace
    private let inbox: ReplInbox
    private var searcher: ReplSearcher
    private var state: ReplState
    private var decoder = KeyDecoder()
    private var items: [SearchResultItem<Record>] = []
    /// Where the hits go on; nil while more are looked for, or when there are none.
    private var cursor: SearchCursor?
    /// The number of the last search.
    private var number = 0
    private var preparing: Set<Int> = []
    private var lastLook = ContinuousClock.now
    /// A generation that came after the first.
    private var newer: IndexFolder?
    private var isOver = false
    private var isInterrupted = false

    /// How long an escape sequence may take to come whole.
    private static let escapeMilliseconds = 50

    init(
        _ folder: IndexFolder, _ place: IndexPlace, _ options: ReplOptions, _ style: Style
    ) throws {
        terminal = try Terminal(style: style)
        self.place = place
        self.options = options
        inbox = try ReplInbox()
        searcher = ReplSearcher(folder, options, inbox)
        state = ReplState(options.text, snippets: options.snippets)
    }

    /// Runs until somebody leaves.
    ///
    /// - Throws: ``Outcome/interrupted`` after a signal; what the terminal throws.
    func run() throws {
        let signals = SignalBytes(into: inbox.pipe)
        defer { signals.stop() }
        try terminal.enter()
        defer {
            terminal.leave()
            searcher.stop()
            try? newer?.index.close()
        }
        showPlace()
        fit()
        search(keepsPlace: false)
        while !isOver { try step() }
        if isInterrupted { throw Outcome.interrupted }
    }

    private func step() throws {
        fit()
        prepareVisible()
        try terminal.draw(ReplScreen(state))
        let patience = place.isPublished ? max(Int(options.interval / .milliseconds(1)), 1) : -1
        switch terminal.wait(
            inbox.pipe, milliseconds: decoder.isWaiting ? Self.escapeMilliseconds : patience)
        {
        case .bytes(let bytes): try press(decoder.decode(bytes))
        case .silence where decoder.isWaiting: try press(decoder.flush())
        case .silence: break
        case .wake(let signals): for signal in signals { try receive(signal) }
        case .end: isOver = true
        }
        for message in inbox.take() { try receive(message) }
        lookForGeneration()
    }

    private func fit() {
        let size = terminal.size
        let before = state.layout
        state.fit(columns: size.columns, rows: size.rows)
        guard before != state.layout else { return }
        // Texts are cut for the width.
        state.forgetHits()
        preparing = []
    }

    // MARK: Keys

    private func press(_ keys: [Key]) throws {
        for key in keys { try perform(state.press(key)) }
    }

    private func perform(_ action: ReplAction?) throws {
        switch action {
        case .search: search(keepsPlace: false)
        case .open(let place): try open(place)
        case .leave: isOver = true
        case .suspend: try suspend()
        case .redraw: terminal.forget()
        case nil: break
        }
    }

    private func suspend() throws {
        terminal.leave()
        // To this thread, which then does nothing more before it is continued.
        raise(SIGSTOP)
        try terminal.enter()
    }

    private func open(_ place: Int) throws {
        guard items.indices.contains(place) else { return }
        let item = items[place]
        let folder = searcher.folder
        if options.learns {
            let text = state.editor.text
            folder.index.recordEngagement(item, for: text)
        }
        if let origin = Origin(item.context), origin.source == nil, !origin.isRow,
            let command = OtherProgram.command
        {
            let file = folder.settings.rootPath.appending(Path(bytes: item.identifier))
            terminal.leave()
            let status = OtherProgram.run(command, file: file)
            try terminal.enter()
            state.notes = status == 0 ? [] : ["\(command) ended with \(status)"]
            return
        }
        let text = SourceText(settings: folder.settings).text(of: item)
        var strings = text.strings
        if case .unavailable(let reason) = text { strings = ["(\(reason))"] }
        let name = String(decoding: item.identifier, as: UTF8.self)
        state.show(ObjectView(title: name, strings: strings))
    }

    private func receive(_ signal: Int32) throws {
        switch signal {
        case SIGTSTP: try suspend()
        case SIGCONT: try terminal.resume()
        // The size is asked for before each drawing.
        case SIGWINCH: break
        default:
            isInterrupted = true
            isOver = true
        }
    }

    // MARK: Searches

    private func search(keepsPlace: Bool) {
        number += 1
        self.keepsPlace = keepsPlace
        state.beginSearch()
        searcher.search(state.editor.text, number: number, layout: state.layout)
    }

    private var keepsPlace = false

    private func receive(_ message: ReplMessage) throws {
        switch message {
        case .answer(number, let answer):
            items = answer.items
            cursor = answer.items.isEmpty ? nil : answer.cursor
            preparing = Set(answer.ready.keys)
            state.notes = answer.notes
            state.show(hitCount: items.count, summary: answer.summary, keepsPlace: keepsPlace)
            state.show(answer.ready)
            // The whole answer takes the place of the best so far.
            keepsPlace = true
        case .more(number, let more, let next):
            items += more
            cursor = more.isEmpty ? nil : next
            state.show(more: more.count)
        case .facets(number, let facets): state.show(facets: facets)
        case .suggestions(number, let texts): try perform(state.show(suggestions: texts))
        case .ready(number, let hits): state.show(hits)
        case .failed(number, let message):
            state.notes = [Printable.line(message)]
            _ = state.show(suggestions: [])
        // Of a search that is over.
        case .answer, .more, .facets, .suggestions, .ready, .failed: break
        }
    }

    /// Has hits made ready that came on the screen, and more looked for near the end.
    private func prepareVisible() {
        let missing = state.missing.filter { !preparing.contains($0) }
        if !missing.isEmpty {
            preparing.formUnion(missing)
            searcher.prepare(missing, of: items, number: number, layout: state.layout)
        }
        if let cursor, state.visible.upperBound >= items.count {
            self.cursor = nil
            searcher.searchMore(after: cursor, number: number)
        }
    }

    // MARK: Generations

    private func showPlace() {
        state.place = searcher.folder.index.generation.map { "generation \($0)" } ?? ""
    }

    /// Goes on with the newest generation, where the index is published.
    private func lookForGeneration() {
        guard place.isPublished, ContinuousClock.now - lastLook >= options.interval else { return }
        lastLook = .now
        do {
            let newest = try TextIndex<Record>.newestGeneration(published: place.url)
            guard newest != searcher.folder.index.generation else { return }
            let next = try IndexFolder(existing: place.path)
            searcher.stop()
            try? newer?.index.close()
            newer = next
            searcher = ReplSearcher(next, options, inbox)
            showPlace()
            search(keepsPlace: true)
        } catch {
            state.notes = ["the newest generation cannot be opened: \(error)"]
        }
    }
}
