/// Carries a value that is not Sendable to the one place that uses it next.
///
/// Unchecked because an app's objects need not be Sendable: the index hands one to its hooks on
/// another thread, as its documentation says, and nothing else of the index touches it.
struct Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
