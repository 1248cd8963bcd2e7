import Foundation

/// Numbers as people read them; the same in every locale.
enum Format {
    /// A number with commas between thousands: `1,234,567`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0 && (digits.count - position) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// A count with its noun: `1 object`, `1,204 objects`.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A number of bytes in decimal units: `512 bytes`, `3.3 MB`.
    static func bytes(_ number: Int) -> String {
        var value = Double(number)
        var unit = "bytes"
        for larger in ["kB", "MB", "GB", "TB"] where value >= 999.5 {
            value /= 1000
            unit = larger
        }
        if unit == "bytes" { return number == 1 ? "1 byte" : "\(number) bytes" }
        return "\(fixed(value, value < 9.995 ? 2 : 1)) \(unit)"
    }

    /// A duration: `840 µs`, `3.4 ms`, `2.1 s`, `1:05`, `2:03:04`.
    static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.001: "\(Int(max(seconds, 0) * 1e6)) µs"
        case ..<0.1: "\(fixed(seconds * 1e3, 1)) ms"
        case ..<1: "\(Int(seconds * 1e3)) ms"
        case ..<60: "\(fixed(seconds, 1)) s"
        default: clock(seconds)
        }
    }

    /// A duration as a clock shows it: `0:07`, `12:34`, `1:00:00`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 359_999).rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        return hours == 0
            ? "\(minutes):\(tail)" : "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    /// A number with so many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", value)
    }

    /// A weight or score: no trailing zeros, at most three decimals.
    static func weight(_ value: Double) -> String {
        guard value.magnitude < 1e15 else { return "\(value)" }
        var text = fixed(value, 3)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}
