import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct ReplScreenTests {
    private static let texts = [
        "duck", "北京烤鸭", "e\u{301}te\u{301}", "👩‍👩‍👧 🇫🇷 ❤️", "שלום עולם", "\u{1B}[2J\u{7}evil",
        "\u{202E}reversed\u{2066}", "a\tb\nc", "한국어", "ｆｕｌｌ", "\u{200F}mark\u{200E}", "",
        String(repeating: "long ", count: 60), "z\u{301}\u{302}\u{303}\u{304}", "\u{301}alone",
    ]

    private static func state(_ random: inout SeededGenerator) -> ReplState {
        func text() -> String { texts[random.below(texts.count)] }
        var state = ReplState(text(), snippets: random.below(3))
        state.fit(columns: 1 + random.below(150), rows: 1 + random.below(50))
        let count = random.below(60)
        state.show(hitCount: count, summary: "\(count) hits", keepsPlace: false)
        var hits: [Int: ReplHit] = [:]
        for place in 0..<count where random.below(4) > 0 {
            let lines = (0..<random.below(4)).map { _ in
                ReplHit.Line(
                    label: text(),
                    pieces: [
                        .init(text: text(), isMatch: false), .init(text: text(), isMatch: true),
                    ])
            }
            hits[place] = ReplHit(name: text(), title: text(), facts: text(), lines: lines)
        }
        state.show(hits)
        state.show(
            facets: (0..<random.below(4)).map { _ in
                ReplFacet(
                    name: text(),
                    buckets: (0..<random.below(5)).map { .init(name: text(), count: $0 * 7777) })
            })
        if random.below(2) == 0 { state.notes = [text()] }
        _ = state.show(suggestions: (0..<random.below(3)).map { _ in text() })
        state.place = random.below(2) == 0 ? "" : "generation 7"
        if random.below(5) == 0 {
            state.show(ObjectView(title: text(), strings: [text(), text(), text()]))
        }
        return state
    }

    private static let keys: [Key] = [
        .up, .down, .pageUp, .pageDown, .firstHit, .lastHit, .left, .right, .home, .end, .text("北"),
        .text("x"), .backspace, .enter, .tab, .earlier, .text("q"),
    ]

    /// Whatever is shown at whatever size: as many lines as there are, none wider than there is
    /// room, and nothing that acts on a terminal.
    @Test(arguments: 1...60 as ClosedRange<UInt64>) func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = Self.state(&random)
        for step in 0..<40 {
            switch random.below(8) {
            case 0: state.fit(columns: 1 + random.below(150), rows: 1 + random.below(50))
            case 1: state.show(more: random.below(10))
            default: _ = state.press(Self.keys[random.below(Self.keys.count)])
            }
            let layout = state.layout
            let screen = ReplScreen(state)
            let comment: Comment = "seed \(seed), step \(step), \(layout)"
            #expect(screen.lines.count == layout.rows, comment)
            for line in screen.lines {
                #expect(line.width <= layout.columns, comment)
                #expect(line.text.reduce(0) { $0 + CellWidth.of($1) } <= layout.columns, comment)
                let isSafe = line.text.unicodeScalars.allSatisfy {
                    !Printable.isUnsafe($0) && $0.value != 0x200E && $0.value != 0x200F
                }
                #expect(isSafe, comment)
            }
            if let (row, column) = screen.cursor {
                #expect(row == 0 && (0..<layout.columns).contains(column), comment)
            } else {
                #expect(state.view != nil, comment)
            }
            if state.hitCount > 0 {
                #expect(state.visible.contains(state.selected), comment)
            }
            #expect(state.visible.upperBound <= state.hitCount, comment)
            #expect(state.visible.count <= layout.visibleCount, comment)
        }
    }

    @Test func aScreen() {
        var state = ReplState("white wh")
        state.show(hitCount: 2, summary: "2 hits in 1.0 ms", keepsPlace: false)
        state.show([
            0: ReplHit(
                name: "a.txt", title: "A title", facts: "3 matches",
                lines: [
                    .init(
                        label: "body: ",
                        pieces: [
                            .init(text: "a ", isMatch: false), .init(text: "white", isMatch: true),
                        ])
                ])
        ])
        state.show(facets: [
            ReplFacet(
                name: "cuisine",
                buckets: [.init(name: "北京", count: 1204), .init(name: "b", count: 7)]
            )
        ])
        _ = state.show(suggestions: ["white whale", "white what"])
        state.fit(columns: 60, rows: 12)
        let lines = ReplScreen(state).lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
        // The list has 37 columns, the facets 20; a character of two columns is one here.
        func row(_ list: String, _ side: String) -> String {
            list + String(repeating: " ", count: 37 - list.count) + " │" + side
        }
        #expect(
            lines == [
                "> white wh", "Tab: white whale · white what",
                row("1. a.txt  A title  3 matches", " cuisine"),
                row("   body: a white", " 北京           1,204"),
                row("2. …", " b                  7"),
                row("", ""), row("", ""), row("", ""), row("", ""), row("", ""), row("", ""),
                "2 hits in 1.0 ms · Enter opens, Tab completes, Esc leaves",
            ])
        #expect(ReplScreen(state).cursor?.column == 10)
        #expect(ReplScreen(state).lines[3].runs.contains(.init(text: "white", style: .match)))
    }

    @Test(arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("北", 2), ("カ", 2), ("ｶ", 1), ("ﬁ", 1), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤", 1), ("❤️", 2), ("ש", 1),
        ("\u{301}", 0), ("\u{200B}", 0), ("\u{AD}", 1), ("\u{0}", 0), ("𠀀", 2), ("กำ", 2),
        ("　", 2), ("｡", 1), ("Ａ", 2), ("\u{7F}", 0), ("👍🏽", 2), ("का", 2),
    ]) func widths(_ text: String, _ width: Int) { #expect(CellWidth.of(text) == width) }
}
