/// Duration text as the ad server writes it, such as `8h0m0s`.
enum DurationText {
    /// Hours, minutes, seconds and milliseconds in this order, each at most once; nil for anything else.
    static func duration(_ text: String) -> Duration? {
        let units: [(name: String, milliseconds: Double)] = [
            ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
        ]
        var rest = text[...]
        var next = 0
        var milliseconds = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest[number.endIndex...]
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[unit.endIndex...]
            guard let value = Double(number), let index = units.firstIndex(where: { $0.name == unit }), index >= next
            else {
                return nil
            }
            milliseconds += value * units[index].milliseconds
            next = index + 1
        }
        guard next > 0, milliseconds <= 31_557_600_000_000 else {
            return nil
        }
        return .microseconds(Int64((milliseconds * 1_000).rounded()))
    }
}
