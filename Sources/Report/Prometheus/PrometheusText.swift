/// Metrics in Prometheus's text format, version 0.0.4.
///
/// Source: Prometheus, "Exposition formats", section "Text-based format".
struct PrometheusText {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    struct Sample {
        /// Suffix of the family's name; histograms only.
        var suffix = ""
        var labels: [(name: String, value: String)]
        var value: Value
    }

    struct Value {
        let text: String

        static func count(_ count: some BinaryInteger) -> Value { Value(text: String(count)) }

        static func flag(_ isSet: Bool) -> Value { Value(text: isSet ? "1" : "0") }

        static func number(_ number: Double) -> Value {
            guard number.isFinite else {
                return Value(text: number.isNaN ? "NaN" : number < 0 ? "-Inf" : "+Inf")
            }
            return Value(text: "\(number)")
        }

        /// Seconds without the rounding of a division.
        static func seconds(_ microseconds: Int64) -> Value {
            let magnitude = microseconds.magnitude
            var text = (microseconds < 0 ? "-" : "") + String(magnitude / 1_000_000)
            let fraction = magnitude % 1_000_000
            guard fraction > 0 else { return Value(text: text) }
            let digits = String(fraction + 1_000_000).dropFirst()
            text += "." + digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
            return Value(text: text)
        }
    }

    private(set) var text = ""

    /// A metric without samples is omitted.
    mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name
            text += sample.suffix
            if !sample.labels.isEmpty {
                let pairs = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
                text += "{" + pairs.joined(separator: ",") + "}"
            }
            text += " \(sample.value.text)\n"
        }
    }

    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Value) {
        family(name, kind, help, [Sample(labels: [], value: value)])
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5c || $0 == 0x0a || $0 == 0x22 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
