package import TextSearch

/// What a text says of the steps of a search: `exact,variants,typos`, or `all`.
package struct StepsChoice: Sendable {
    /// The steps.
    package let steps: SearchSteps

    /// What to say of a text that names no steps.
    package static let expectation =
        "names of steps, separated by commas: \(SearchSteps.all); or all"

    /// Nil where a name is not that of a step.
    package init?(argument: String) {
        // Most often it is one name.
        if let steps = SearchSteps(names: [argument]) {
            self.steps = steps
            return
        }
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard let steps = SearchSteps(names: names) else { return nil }
        self.steps = steps
    }
}
