@testable import TextIndexCommand

extension ScreenLine {
    /// The text without styles.
    var text: String { runs.map(\.text).joined() }
}
