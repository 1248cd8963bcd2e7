import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

extension TextIndex {
    /// Closes the indexes of a test after proving their state, and removes them.
    static func remove(_ indexes: [TextIndex]) {
        for index in indexes {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
    }
}
