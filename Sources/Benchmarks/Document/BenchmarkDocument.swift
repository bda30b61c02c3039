import Foundation
import Values

struct BenchmarkDocument: JSONDocument {
    let format = "podswarm-benchmarks/2"
    let command: String
    let parameters: [String: Int]
    private(set) var cells: [Cell] = []
    private(set) var bars: [Verdict] = []

    mutating func add(round: Int, cell name: String, _ subject: Subject, _ figures: [Quantity: Double]) {
        if !cells.contains(where: { $0.name == name }) { cells.append(Cell(name: name)) }
        guard let index = cells.firstIndex(where: { $0.name == name }) else { return }
        cells[index].add(round: round, subject, figures)
        bars = Bar.all.filter { $0.command == command }
            .compactMap { bar in cells.first { $0.name == bar.cell }.flatMap { Verdict(bar, $0) } }
        let texts = Quantity.allCases.compactMap { quantity in
            figures[quantity].map { "\(quantity.rawValue) \($0.shortText)" }
        }
        FileHandle.standardError.write(
            Data("round \(round), \(name), \(subject.rawValue): \(texts.joined(separator: ", "))\n".utf8)
        )
    }

    func finish(json: String?) throws {
        let options = parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(([command] + options).joined(separator: ", "))
        for quantity in Quantity.allCases {
            if let table = table(of: quantity) { print("\n\(quantity.title)\n\(table)") }
        }
        if !bars.isEmpty { print("\n\(verdictTable)") }
        guard let json else { return }
        try self.json().write(to: URL(fileURLWithPath: json), options: .atomic)
    }
}

// MARK: - Tables

extension BenchmarkDocument {
    private func table(of quantity: Quantity) -> String? {
        let measured = cells.filter { cell in cell.medians.values.contains { $0[quantity] != nil } }
        let subjects = Subject.allCases.filter { subject in
            measured.contains { $0.medians[subject]?[quantity] != nil }
        }
        guard !subjects.isEmpty else { return nil }
        let others = subjects.contains(.podswarm) ? subjects.filter { $0 != .podswarm } : []
        func line(_ name: String, _ round: String, _ figures: Cell.Figures, _ ratios: Cell.Figures) -> [String] {
            [name, round] + subjects.map { figures[$0]?[quantity]?.shortText ?? "-" }
                + others.map { ratios[$0]?[quantity].map { String(format: "%.2f", $0) } ?? "-" }
        }
        var lines = [["", "round"] + subjects.map(\.rawValue) + others.map { "/ \($0.rawValue)" }]
        for cell in measured {
            lines += cell.rounds.map { line(cell.name, "\($0.round)", $0.figures, $0.ratios) }
            lines.append(line(cell.name, "median", cell.medians, cell.medianRatios))
        }
        return TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n")
    }

    private var verdictTable: String {
        TextColumns.lines(
            bars.map { verdict in
                [
                    "bar \(verdict.bar)",
                    "\(verdict.cell), \(verdict.quantity.rawValue)"
                        + (verdict.podswarmDividedBy.map { " / \($0.rawValue)" } ?? ""),
                    "at most \(verdict.atMost.shortText)",
                    verdict.median.shortText,
                    verdict.isMet ? "met" : "missed",
                ]
            },
            othersFlush: .right
        )
        .joined(separator: "\n")
    }
}

struct Cell: Encodable {
    typealias Figures = [Subject: [Quantity: Double]]

    /// All subjects, measured one after the other.
    struct Round: Encodable {
        let round: Int
        var figures: Figures = [:] {
            didSet { ratios = figures.ratios }
        }
        private(set) var ratios: Figures = [:]

        private enum CodingKeys: String, CodingKey {
            case round, figures
            case ratios = "podswarm_divided_by"
        }

        init(round: Int) { self.round = round }
    }

    /// Lateness counts from the slot's instant.
    static let inSlots = "HTTP in slots"

    let name: String
    private(set) var rounds: [Round] = []
    private(set) var medians: Figures = [:]
    /// Medians of ratios: a ratio of medians would mix rounds.
    private(set) var medianRatios: Figures = [:]

    private enum CodingKeys: String, CodingKey {
        case name, rounds
        case medians = "median"
        case medianRatios = "median_podswarm_divided_by"
    }

    mutating func add(round: Int, _ subject: Subject, _ figures: [Quantity: Double]) {
        if rounds.last?.round != round { rounds.append(Round(round: round)) }
        rounds[rounds.count - 1].figures[subject, default: [:]].merge(figures) { $1 }
        medians = Self.medians(rounds.map(\.figures))
        medianRatios = Self.medians(rounds.map(\.ratios))
    }

    private static func medians(_ rounds: [Figures]) -> Figures {
        var values: [Subject: [Quantity: [Double]]] = [:]
        for (subject, figures) in rounds.joined() {
            for (quantity, value) in figures { values[subject, default: [:]][quantity, default: []].append(value) }
        }
        return values.mapValues { $0.compactMapValues(\.median) }
    }
}

extension Cell.Figures {
    fileprivate var ratios: Cell.Figures {
        guard let own = self[.podswarm] else { return [:] }
        return filter { $0.key != .podswarm }
            .mapValues { figures in
                figures.compactMap { quantity, figure in
                    own[quantity].flatMap { figure > 0 ? (quantity, $0 / figure) : nil }
                }
                .reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            .filter { !$0.value.isEmpty }
    }
}

extension [Double] {
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }

    /// Nearest rank; `share` is from 0 to 1.
    func percentile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let rank = (share * Double(count)).rounded(.up)
        return sorted()[Swift.min(Swift.max(Int(rank) - 1, 0), count - 1)]
    }
}

extension Double {
    var shortText: String {
        let places = magnitude < 10 ? 2 : magnitude < 1000 ? 1 : 0
        return String(format: "%.\(places)f", self)
    }
}
