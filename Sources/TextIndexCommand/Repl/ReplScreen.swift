/// The lines of the screen for a state, and where the cursor stands.
///
/// Complexity: linear in the cells of the screen.
struct ReplScreen: Equatable, Sendable {
    private(set) var lines: [ScreenLine] = []
    /// Row and column, from 0; nil where none is shown.
    private(set) var cursor: (row: Int, column: Int)?

    static func == (a: ReplScreen, b: ReplScreen) -> Bool {
        a.lines == b.lines && a.cursor?.row == b.cursor?.row && a.cursor?.column == b.cursor?.column
    }

    /// As many lines as the state's layout has rows.
    init(_ state: ReplState) {
        let layout = state.layout
        if let view = state.view {
            addView(view, layout)
        } else {
            addPrompt(state.editor, layout)
            if layout.hasSuggestions { addSuggestions(state, layout) }
            addList(state, layout)
        }
        while lines.count < layout.rows - 1 { lines.append(ScreenLine(room: layout.columns)) }
        if layout.rows > 1 { lines.append(Self.status(state)) }
    }

    // MARK: Parts

    /// The line that is edited, scrolled so that the cursor is on it.
    private mutating func addPrompt(_ editor: LineEditor, _ layout: ReplLayout) {
        let sign = layout.columns >= 10 ? "> " : ""
        var line = ScreenLine(room: layout.columns)
        line.append(sign, .faint)
        // A place for the cursor behind the last character.
        let room = max(layout.columns - line.width - 1, 1)
        var start = editor.cursor
        var before = 0
        while start > 0 {
            let width = Self.width(editor.characters[start - 1])
            if before + width > room { break }
            before += width
            start -= 1
        }
        cursor = (0, min(line.width + before, layout.columns - 1))
        line.append(String(editor.characters[start...]))
        lines.append(line)
    }

    private static func width(_ character: Character) -> Int {
        CellWidth.of(ScreenLine.shown(character))
    }

    private mutating func addSuggestions(_ state: ReplState, _ layout: ReplLayout) {
        var line = ScreenLine(room: layout.columns)
        if let note = state.notes.first {
            line.append(note, .faint)
        } else if let suggestions = state.suggestions, let first = suggestions.first {
            line.append("Tab: ", .faint)
            line.append(first)
            for other in suggestions.dropFirst() { line.append(" · \(other)", .faint) }
        }
        lines.append(line)
    }

    private mutating func addList(_ state: ReplState, _ layout: ReplLayout) {
        let side = Self.side(state.facets, layout)
        var rows: [ScreenLine] = []
        for place in state.visible {
            rows += Self.rows(state.hits[place], place, place == state.selected, layout)
        }
        for row in 0..<layout.listRows {
            var line = row < rows.count ? rows[row] : ScreenLine(room: layout.columns)
            if layout.facetColumns > 0 {
                line.pad(to: layout.listColumns)
                line.append(" │ ", .faint)
                for run in row < side.count ? side[row].runs : [] {
                    line.append(run.text, run.style)
                }
            }
            lines.append(line)
        }
    }

    /// A hit: its heading, and as many lines of text as the layout has, some of them empty.
    private static func rows(
        _ hit: ReplHit?, _ place: Int, _ isSelected: Bool, _ layout: ReplLayout
    ) -> [ScreenLine] {
        var texts: [ScreenLine] = []
        var heading = ScreenLine(room: layout.listColumns)
        heading.append("\(place + 1). ", isSelected ? .selected : .plain)
        heading.append(hit?.name ?? "…", isSelected ? .selected : .heading)
        if let hit {
            let style: ScreenStyle = isSelected ? .selected : .plain
            if !hit.title.isEmpty { heading.append("  \(hit.title)", style) }
            if !hit.facts.isEmpty { heading.append("  \(hit.facts)", isSelected ? style : .faint) }
        }
        if isSelected { heading.pad(to: layout.listColumns, .selected) }
        texts.append(heading.widened(to: layout.columns))
        for row in 0..<layout.textRows {
            var line = ScreenLine(room: layout.listColumns)
            if let hit, row < hit.lines.count {
                line.append("   ")
                line.append(hit.lines[row].label, .faint)
                for piece in hit.lines[row].pieces {
                    line.append(piece.text, piece.isMatch ? .match : .plain)
                }
            }
            texts.append(line.widened(to: layout.columns))
        }
        return texts
    }

    private static func side(_ facets: [ReplFacet], _ layout: ReplLayout) -> [ScreenLine] {
        guard layout.facetColumns > 0 else { return [] }
        var rows: [ScreenLine] = []
        for facet in facets where !facet.buckets.isEmpty {
            if !rows.isEmpty { rows.append(ScreenLine(room: layout.facetColumns)) }
            var name = ScreenLine(room: layout.facetColumns)
            name.append(facet.name, .heading)
            rows.append(name)
            for bucket in facet.buckets {
                let count = " " + Format.count(bucket.count)
                var name = ScreenLine(room: layout.facetColumns - CellWidth.of(count))
                name.append(bucket.name)
                var line = name.widened(to: layout.facetColumns)
                line.pad(to: layout.facetColumns - CellWidth.of(count))
                line.append(count, .faint)
                rows.append(line)
            }
        }
        return rows
    }

    private mutating func addView(_ view: ObjectView, _ layout: ReplLayout) {
        var title = ScreenLine(room: layout.columns)
        title.append(view.title, .heading)
        lines.append(title)
        if layout.rows > 2 { lines += view.lines }
    }

    private static func status(_ state: ReplState) -> ScreenLine {
        var line = ScreenLine(room: state.layout.columns)
        var parts: [String] = []
        if let view = state.view {
            parts = ["\(view.progress) %", "Esc goes back"]
        } else {
            if !state.layout.hasSuggestions { parts += state.notes.prefix(1) }
            if !state.summary.isEmpty { parts.append(state.summary) }
            if !state.place.isEmpty { parts.append(state.place) }
            parts.append("Enter opens, Tab completes, Esc leaves")
        }
        line.append(parts.joined(separator: " · "), .faint)
        return line
    }
}

extension ScreenLine {
    /// The same with more room.
    func widened(to columns: Int) -> ScreenLine {
        var line = ScreenLine(room: columns)
        for run in runs { line.append(run.text, run.style) }
        return line
    }
}
