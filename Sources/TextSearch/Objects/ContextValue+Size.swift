extension ContextValue {
    /// About how many bytes the value takes when it is stored.
    var byteCount: Int {
        var total = 0
        var rest = [self]
        while let value = rest.popLast() {
            total += 9
            switch value {
            case .string(let text): total += text.utf8.count
            case .data(let data): total += data.count
            case .array(let values): rest += values
            case .dictionary(let values):
                total += values.keys.reduce(0) { $0 + $1.utf8.count }
                rest += values.values
            default: break
            }
        }
        return total
    }
}
