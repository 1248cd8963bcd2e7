/// What a key asks for that the screen cannot do by itself.
enum ReplAction: Equatable, Sendable {
    /// The text is another one.
    case search(String)
    /// The hit of this place is to be opened.
    case open(Int)
    case leave
    case suspend
    case redraw
}

/// All that the screen of a search shows, and what keys make of it. It knows of no terminal and no
/// index.
struct ReplState: Equatable, Sendable {
    var editor = LineEditor()
    /// How many hits can be shown.
    private(set) var hitCount = 0
    /// Those that are ready, by their places.
    private(set) var hits: [Int: ReplHit] = [:]
    /// How many hits there are, in words.
    private(set) var summary = ""
    /// What is to be said of the query, and what went wrong.
    var notes: [String] = []
    private(set) var facets: [ReplFacet] = []
    /// What the text may become; the first is taken by Tab. Nil while they are looked for.
    private(set) var suggestions: [String]? = []
    /// Whether Tab came before them.
    private var wantsSuggestion = false
    private(set) var selected = 0
    private(set) var top = 0
    /// The object that is shown instead of hits.
    private(set) var view: ObjectView?
    private(set) var layout = ReplLayout(columns: 80, rows: 24, facets: false, snippets: 2)
    /// How many lines of text a hit has at most.
    let snippets: Int
    /// What is shown at the end of the last line, such as the generation.
    var place = ""

    init(_ text: String = "", snippets: Int = 2) {
        editor = LineEditor(text)
        self.snippets = snippets
    }

    // MARK: Keys

    /// Takes a key.
    mutating func press(_ key: Key) -> ReplAction? {
        switch key {
        case .suspend: return .suspend
        case .redraw: return .redraw
        default: break
        }
        if view != nil {
            if view?.press(key) == false { view = nil }
            return nil
        }
        switch key {
        case .escape, .interrupt: return .leave
        case .up: select(selected - 1)
        case .down: select(selected + 1)
        case .pageUp: select(selected - layout.visibleCount)
        case .pageDown: select(selected + layout.visibleCount)
        case .firstHit: select(0)
        case .lastHit: select(hitCount - 1)
        case .enter:
            guard selected < hitCount else { return nil }
            editor.remember()
            return .open(selected)
        case .tab: return complete()
        default:
            let before = editor.text
            guard editor.press(key), editor.text != before else { return nil }
            return .search(editor.text)
        }
        return nil
    }

    /// Takes the first suggestion, or waits for it.
    private mutating func complete() -> ReplAction? {
        wantsSuggestion = suggestions == nil
        guard let suggestion = suggestions?.first else { return nil }
        editor.set(suggestion)
        return .search(editor.text)
    }

    private mutating func select(_ place: Int) {
        selected = min(max(place, 0), max(hitCount - 1, 0))
    }

    // MARK: What was found

    /// Shows other hits. Those that stay the same need not be made ready again.
    mutating func show(hitCount: Int, summary: String, keepsPlace: Bool) {
        self.hitCount = hitCount
        self.summary = summary
        hits = [:]
        if !keepsPlace {
            selected = 0
            top = 0
        }
        select(selected)
        scroll()
    }

    /// A search begins; nothing is known of its text yet.
    mutating func beginSearch() {
        suggestions = nil
        wantsSuggestion = false
    }

    /// Shows what the text may become.
    mutating func show(suggestions: [String]) -> ReplAction? {
        self.suggestions = suggestions
        return wantsSuggestion ? complete() : nil
    }

    /// Shows more hits behind those that there are.
    mutating func show(more count: Int) { hitCount += count }

    /// Has all hits made ready again.
    mutating func forgetHits() { hits = [:] }

    mutating func show(_ ready: [Int: ReplHit]) { hits.merge(ready) { $1 } }

    mutating func show(facets: [ReplFacet]) {
        self.facets = facets
        fit(columns: layout.columns, rows: layout.rows)
    }

    mutating func show(_ view: ObjectView) {
        self.view = view
        fit(columns: layout.columns, rows: layout.rows)
    }

    // MARK: Layout

    /// Lays everything out for a size.
    mutating func fit(columns: Int, rows: Int) {
        let hasFacets = facets.contains { !$0.buckets.isEmpty }
        layout = ReplLayout(columns: columns, rows: rows, facets: hasFacets, snippets: snippets)
        view?.fit(layout.columns, layout.rows - 2)
        scroll()
    }

    private mutating func scroll() {
        top = min(max(top, selected - layout.visibleCount + 1), selected)
    }

    /// The places of the hits on the screen, after the last key.
    var visible: Range<Int> {
        let first = min(max(top, selected - layout.visibleCount + 1), selected)
        return min(first, hitCount)..<min(first + layout.visibleCount, hitCount)
    }

    /// The hits on the screen that are not ready.
    var missing: [Int] { visible.filter { hits[$0] == nil } }
}

/// How the screen is divided.
struct ReplLayout: Equatable, Sendable {
    let columns: Int
    let rows: Int
    /// The rows of text below the heading of a hit.
    let textRows: Int
    let hasSuggestions: Bool
    /// The columns of the facets; 0 where there are none, or no room.
    let facetColumns: Int

    init(columns: Int, rows: Int, facets: Bool, snippets: Int) {
        self.columns = max(columns, 1)
        self.rows = max(rows, 1)
        hasSuggestions = rows >= 8
        let list = rows - 2 - (hasSuggestions ? 1 : 0)
        textRows = min(list >= 18 ? 2 : list >= 8 ? 1 : 0, max(snippets, 0))
        facetColumns = facets && columns >= 60 ? min(columns / 3, 32) : 0
    }

    /// The rows for hits.
    var listRows: Int { max(rows - 2 - (hasSuggestions ? 1 : 0), 0) }
    /// The columns for hits.
    var listColumns: Int { facetColumns > 0 ? columns - facetColumns - 3 : columns }
    /// How many hits fit, at least 1.
    var visibleCount: Int { max(listRows / (1 + textRows), 1) }
}
