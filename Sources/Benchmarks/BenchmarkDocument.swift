import Foundation

/// The figures of one invocation, as a table and as JSON with sorted keys.
struct BenchmarkDocument: Encodable {
    /// One generator's figure in one round, beside its peers'.
    struct Row: Encodable {
        let round: Int
        let scheme: Scheme
        /// By generator.
        let figures: [String: Double]
        /// podswarm's figure divided by the peer's of the same round.
        let ratioTo: [String: Double]
    }

    /// The middle of the rounds.
    struct Median: Encodable {
        let scheme: Scheme
        let figures: [String: Double]
        let ratioTo: [String: Double]
    }

    let format = "podswarm-benchmarks/1"
    let measurement: String
    let connections: Int
    let seconds: Int
    private(set) var rows: [Row] = []
    private(set) var medians: [Median] = []

    private enum CodingKeys: String, CodingKey {
        case format, measurement, connections, seconds, rows, medians
    }

    init(measurement: String, connections: Int, seconds: Int) {
        self.measurement = measurement
        self.connections = connections
        self.seconds = seconds
    }

    mutating func add(round: Int, scheme: Scheme, figures: [Generator: Double]) {
        var ratios: [String: Double] = [:]
        for (peer, figure) in figures where peer != .podswarm && figure > 0 {
            ratios[peer.rawValue] = (figures[.podswarm] ?? 0) / figure
        }
        let named = Dictionary(uniqueKeysWithValues: figures.map { ($0.key.rawValue, $0.value) })
        rows.append(Row(round: round, scheme: scheme, figures: named, ratioTo: ratios))
    }

    /// The newest row, for whoever watches.
    func lastLine(unit: String) -> String {
        guard let row = rows.last else { return "" }
        let parts = Generator.allCases.compactMap { generator in
            row.figures[generator.rawValue].map { "\(generator.rawValue) \(Self.text($0)) \(unit)" }
        }
        return "round \(row.round), \(row.scheme.name): " + parts.joined(separator: ", ")
    }

    /// Takes the medians, prints the table and writes the file.
    mutating func finish(title: String, json: String?) throws {
        medians = Scheme.allCases.compactMap(median)
        print("\n\(table(title: title))")
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: json), options: .atomic)
    }

    private func median(of scheme: Scheme) -> Median? {
        let rows = rows.filter { $0.scheme == scheme }
        guard !rows.isEmpty else { return nil }
        func middle(_ values: (Row) -> [String: Double]) -> [String: Double] {
            let all = rows.map(values)
            return Dictionary(
                uniqueKeysWithValues: (all.first ?? [:]).keys.map { key in
                    (key, Self.median(all.compactMap { $0[key] }))
                }
            )
        }
        return Median(scheme: scheme, figures: middle(\.figures), ratioTo: middle(\.ratioTo))
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return 0 }
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : min(sorted[half], last)
    }

    private func table(title: String) -> String {
        let names = Generator.allCases.map(\.rawValue)
        let peers = names.dropFirst()
        var lines = [["", "round"] + names + peers.map { "/ \($0)" }]
        for scheme in Scheme.allCases {
            for row in rows where row.scheme == scheme {
                lines.append([scheme.name, "\(row.round)"] + Self.cells(row.figures, row.ratioTo))
            }
            for row in medians where row.scheme == scheme {
                lines.append([scheme.name, "median"] + Self.cells(row.figures, row.ratioTo))
            }
        }
        let widths = (lines.first ?? []).indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let body = lines.map { line in
            zip(line, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
        return "\(title), \(connections) connections\n" + body.joined(separator: "\n")
    }

    private static func cells(_ figures: [String: Double], _ ratios: [String: Double]) -> [String] {
        let names = Generator.allCases.map(\.rawValue)
        return names.map { figures[$0].map(text) ?? "-" }
            + names.dropFirst().map { ratios[$0].map { String(format: "%.2f", $0) } ?? "-" }
    }

    private static func text(_ value: Double) -> String {
        String(format: value < 1000 ? "%.1f" : "%.0f", value)
    }
}
