import Testing

@testable import TextIndexCommand

@Suite struct ReplStateTests {
    private func state(_ text: String = "", hits: Int = 30) -> ReplState {
        var state = ReplState(text)
        state.fit(columns: 80, rows: 13)
        state.show(hitCount: hits, summary: "", keepsPlace: false)
        return state
    }

    @Test func typingSearches() {
        var state = state()
        #expect(state.press(.text("du")) == .search("du"))
        #expect(state.press(.left) == nil)
        #expect(state.press(.backspace) == .search("u"))
        #expect(state.press(.backspace) == nil)
        #expect(state.press(.deleteToEnd) == .search(""))
    }

    @Test func hitsAreGoneThrough() {
        var state = state()
        let page = state.layout.visibleCount
        #expect(state.visible == 0..<page && state.missing == Array(0..<page))
        _ = state.press(.pageDown)
        #expect(state.selected == page && state.visible.contains(page))
        _ = state.press(.lastHit)
        #expect(state.selected == 29 && state.visible == (30 - page)..<30)
        _ = state.press(.down)
        #expect(state.selected == 29)
        _ = state.press(.firstHit)
        _ = state.press(.up)
        #expect(state.selected == 0)
        _ = state.press(.down)
        #expect(state.press(.enter) == .open(1))
        state.show(hitCount: 1, summary: "", keepsPlace: true)
        #expect(state.selected == 0)
        state.show(hitCount: 0, summary: "", keepsPlace: false)
        #expect(state.press(.enter) == nil && state.visible.isEmpty)
    }

    @Test func whatIsReadyNeedNotBeMade() {
        var state = state(hits: 2)
        state.show([0: ReplHit(name: "a")])
        #expect(state.missing == [1])
        state.show([1: ReplHit(name: "b")])
        #expect(state.missing.isEmpty)
        state.forgetHits()
        #expect(state.missing == [0, 1])
    }

    @Test func suggestionsAreTaken() {
        var state = state("whi")
        #expect(state.press(.tab) == nil)
        #expect(state.show(suggestions: ["white"]) == nil)
        #expect(state.press(.tab) == .search("white"))
        state.beginSearch()
        // Before they are known: taken when they come.
        #expect(state.press(.tab) == nil)
        #expect(state.show(suggestions: ["whites"]) == .search("whites"))
        state.beginSearch()
        #expect(state.press(.tab) == nil)
        state.beginSearch()
        #expect(state.show(suggestions: ["other"]) == nil)
    }

    @Test func textsAreRecalled() {
        var state = state()
        _ = state.press(.text("duck"))
        _ = state.press(.enter)
        _ = state.press(.deleteToStart)
        #expect(state.press(.earlier) == .search("duck"))
        #expect(state.press(.later) == .search(""))
    }

    @Test func anObjectIsShown() {
        var state = state()
        state.show(
            ObjectView(
                title: "a", strings: [(0..<100).map { "line \($0)" }.joined(separator: "\n")]))
        #expect(state.press(.text("x")) == nil && state.editor.text.isEmpty)
        _ = state.press(.pageDown)
        #expect(state.view?.lines.first?.text == "line 11")
        _ = state.press(.end)
        #expect(state.view?.progress == 100)
        #expect(state.press(.escape) == nil && state.view == nil)
        #expect(state.press(.escape) == .leave)
    }

    @Test func longLinesOfAnObjectAreWrapped() {
        var view = ObjectView(title: "a", strings: ["北京烤鸭 duck", "b"])
        view.fit(5, 10)
        #expect(view.lines.map(\.text) == ["北京", "烤鸭 ", "duck", "", "b", ""])
        view.fit(1, 10)
        #expect(view.lines.allSatisfy { $0.width <= 2 })
    }
}
