import TextIndexInterface
import TextSearch

extension ServedIndex {
    /// Refuses a field that the index does not have.
    func check(field: String?) throws {
        guard let field, !index.configuration.fields.contains(field) else { return }
        throw Problem.invalid("field", "The index has no field of this name.")
    }
}
