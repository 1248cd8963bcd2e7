import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct LineEditorTests {
    /// Two strings with the cursor between them.
    private struct PlainLine {
        var before = ""
        var after = ""

        var text: String { before + after }

        mutating func press(_ key: Key) {
            switch key {
            case .text(let text):
                before += text
                // What was inserted may join the character behind it.
                while String(before + after).count < before.count + after.count, !after.isEmpty {
                    before.append(after.removeFirst())
                }
            case .backspace: if !before.isEmpty { before.removeLast() }
            case .delete: if !after.isEmpty { after.removeFirst() }
            case .left: if let last = before.popLast() { after = String(last) + after }
            case .right: if !after.isEmpty { before.append(after.removeFirst()) }
            case .home: (before, after) = ("", text)
            case .end: (before, after) = (text, "")
            case .deleteToStart: before = ""
            case .deleteToEnd: after = ""
            case .deleteWord:
                while before.last == " " { before.removeLast() }
                while let last = before.last, last != " " { before.removeLast() }
            case .wordLeft:
                while before.last == " " { press(.left) }
                while let last = before.last, last != " " { press(.left) }
            case .wordRight:
                while after.first == " " { press(.right) }
                while let first = after.first, first != " " { press(.right) }
            default: break
            }
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>) func randomKeys(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys: [Key] = [
            .text("a"), .text("duck"), .text(" "), .text("é"), .text("北京"), .text("👩‍👧"),
            .text("x y"), .text("שלום"), .backspace, .delete, .left, .right, .left, .right, .home,
            .end, .deleteToStart, .deleteToEnd, .deleteWord, .wordLeft, .wordRight,
        ]
        var editor = LineEditor()
        var plain = PlainLine()
        for step in 0..<200 {
            let key = keys[random.below(keys.count)]
            let isTaken = editor.press(key)
            plain.press(key)
            #expect(isTaken)
            #expect(editor.text == plain.text, "seed \(seed), step \(step): \(key)")
            let before = String(editor.characters[..<editor.cursor])
            #expect(before == plain.before, "seed \(seed), step \(step): \(key)")
        }
    }

    @Test func whatActsOnATerminalIsNotTaken() {
        var editor = LineEditor("a\u{1B}[31m\r\nb\u{202E}c\u{9B}\0")
        #expect(editor.text == "a[31m  bc")
        _ = editor.press(.text(String(repeating: "x", count: 10_000)))
        #expect(editor.characters.count == LineEditor.longest)
    }

    @Test func marksJoinTheCharacterBeforeThem() {
        var editor = LineEditor("e")
        _ = editor.press(.text("\u{301}"))
        #expect(editor.text == "e\u{301}" && editor.cursor == 1 && editor.characters.count == 1)
        _ = editor.press(.backspace)
        #expect(editor.text.isEmpty)
    }

    @Test func earlierLines() {
        var editor = LineEditor()
        for text in ["one", "two", "two", "", "three"] {
            editor.set(text)
            editor.remember()
        }
        #expect(editor.history == ["one", "two", "three"])
        editor.set("new")
        var seen: [String] = []
        for key in [Key.earlier, .earlier, .earlier, .earlier, .later, .later, .later, .later] {
            _ = editor.press(key)
            seen.append(editor.text)
        }
        #expect(seen == ["three", "two", "one", "one", "two", "three", "new", "new"])
    }
}
