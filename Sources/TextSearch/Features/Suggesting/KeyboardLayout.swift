/// Which keys of a keyboard are neighbours, and so are easily hit for each other.
///
/// Keys are letters and digits without marks, as the words of an index are folded.
///
/// **Thread safety**: an immutable value.
public struct KeyboardLayout: Sendable, Hashable {
    /// A row of keys, and how far right its first key stands, in quarters of a key.
    private struct Row: Hashable {
        var offset: Int
        var keys: [Character]
    }

    private let rows: [Row]

    /// Creates a keyboard from its rows, the top one first.
    ///
    /// - Parameter rows: the letters and digits of each row from the left, and how far right its
    ///   first key is, in quarters of a key. A space stands for any other key.
    public init(rows: [(offset: Int, keys: String)]) {
        self.rows = rows.map { Row(offset: $0.offset, keys: Array($0.keys)) }
    }

    /// A layout without keys: no letter is easily hit for another.
    public static let none = KeyboardLayout(rows: [])
    /// The usual layout for English.
    public static let qwerty = letters("qwertyuiop", "asdfghjkl", "zxcvbnm")
    /// The usual layout for German, and for much of Central Europe.
    public static let qwertz = letters("qwertzuiop", "asdfghjkl", "yxcvbnm")
    /// The usual layout for French.
    public static let azerty = letters("azertyuiop", "qsdfghjklm", "wxcvbn")

    private static func letters(
        _ top: String, _ middle: String, _ bottom: String
    ) -> KeyboardLayout {
        KeyboardLayout(rows: [(0, "1234567890"), (2, top), (3, middle), (5, bottom)])
    }

    /// The pairs of neighbours: keys side by side, and those of the next row that touch.
    ///
    /// Complexity: linear in the keys, with a small factor.
    var neighbours: Set<[UInt32]> {
        var pairs: Set<[UInt32]> = []
        for (number, row) in rows.enumerated() {
            for (place, key) in row.keys.enumerated() where key != " " {
                let left = row.offset + 4 * place
                for other in rows[number...].prefix(2) {
                    for (otherPlace, otherKey) in other.keys.enumerated() where otherKey != " " {
                        let distance = abs(other.offset + 4 * otherPlace - left)
                        let isNear = other == row ? distance == 4 : distance < 4
                        guard isNear, let a = key.unicodeScalars.first,
                            let b = otherKey.unicodeScalars.first
                        else { continue }
                        pairs.insert([a.value, b.value])
                        pairs.insert([b.value, a.value])
                    }
                }
            }
        }
        return pairs
    }
}
