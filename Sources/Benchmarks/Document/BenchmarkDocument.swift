import Foundation
import Values

/// Figures of one command, by cell, round and subject.
struct BenchmarkDocument {
    let command: String
    let parameters: [String: Int]
    private(set) var cells: [Cell] = []

    mutating func add(round: Int, cell name: String, _ subject: Subject, _ figures: [Quantity: Double]) {
        if !cells.contains(where: { $0.name == name }) { cells.append(Cell(name: name)) }
        guard let index = cells.firstIndex(where: { $0.name == name }) else { return }
        cells[index].add(round: round, subject, figures)
        let texts = Quantity.allCases.compactMap { quantity in
            figures[quantity].map { "\(quantity.rawValue): \($0.shortText)" }
        }
        tell("round \(round), \(name), \(subject.rawValue)\n    \(texts.joined(separator: "\n    "))")
    }

    func show() {
        let options = parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(([command] + options).joined(separator: ", "))
        for quantity in Quantity.allCases {
            if let table = table(of: quantity) { print("\n\(quantity.rawValue)\n\(table)") }
        }
        if !barLines.isEmpty { print("\n" + TextColumns.lines(barLines, othersFlush: .right).joined(separator: "\n")) }
    }

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
            lines += cell.rounds.map { line(cell.name, "\($0.round)", $0.figures, $0.figures.ratios) }
            lines.append(line(cell.name, "median", cell.medians, cell.medianRatios))
        }
        return TextColumns.lines(lines, othersFlush: .right).joined(separator: "\n")
    }

    private var barLines: [[String]] {
        Bar.all.filter { $0.command == command }.compactMap { bar in
            guard let median = cells.first(where: { $0.name == bar.cell })?.median(for: bar) else { return nil }
            return [
                "\(bar.cell), \(bar.quantity.rawValue)" + (bar.against.map { " / \($0.rawValue)" } ?? ""),
                "at most \(bar.atMost.shortText)", median.shortText, median <= bar.atMost ? "met" : "missed",
            ]
        }
    }
}

struct Cell {
    typealias Figures = [Subject: [Quantity: Double]]

    let name: String
    /// All subjects of a round, measured one after the other.
    private(set) var rounds: [(round: Int, figures: Figures)] = []

    mutating func add(round: Int, _ subject: Subject, _ figures: [Quantity: Double]) {
        if rounds.last?.round != round { rounds.append((round, [:])) }
        rounds[rounds.count - 1].figures[subject, default: [:]].merge(figures) { $1 }
    }

    var medians: Figures { Self.medians(rounds.map(\.figures)) }

    /// Medians of ratios: a ratio of medians would mix rounds.
    var medianRatios: Figures { Self.medians(rounds.map(\.figures.ratios)) }

    /// nil if the bar's subject was not measured.
    func median(for bar: Bar) -> Double? { (bar.against.map { medianRatios[$0] } ?? medians[.podswarm])?[bar.quantity] }

    private static func medians(_ rounds: [Figures]) -> Figures {
        var values: [Subject: [Quantity: [Double]]] = [:]
        for (subject, figures) in rounds.joined() {
            for (quantity, value) in figures { values[subject, default: [:]][quantity, default: []].append(value) }
        }
        return values.mapValues { $0.compactMapValues(\.median) }
    }
}

extension Cell.Figures {
    /// podswarm's figures divided by those of each other subject.
    var ratios: Cell.Figures {
        guard let own = self[.podswarm] else { return [:] }
        var ratios: Cell.Figures = [:]
        for (subject, figures) in self where subject != .podswarm {
            for (quantity, figure) in figures where figure > 0 {
                if let mine = own[quantity] { ratios[subject, default: [:]][quantity] = mine / figure }
            }
        }
        return ratios
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

/// Upper limit of podswarm's median.
struct Bar {
    let command: String
    let cell: String
    let quantity: Quantity
    /// nil: the figure itself; otherwise its ratio to this subject's.
    let against: Subject?
    let atMost: Double

    static let all =
        ([
            ("poll", "HTTP 64", .cpuPerRequest, .wrk, 1.0),
            ("poll", "HTTP 1000", .cpuPerRequest, .wrk, 0.9),
            ("poll", "HTTP 10000", .cpuPerRequest, .wrk, 0.9),
            ("poll", "TLS 1.3 1000", .cpuPerRequest, .wrk, 1.0),
            ("poll", "TLS 1.3 5000", .cpuPerRequest, .wrk, 0.9),
            ("poll", "HTTP/2 1000", .cpuPerRequest, .h2load, 0.9),
            ("poll", "HTTP/2 5000", .cpuPerRequest, .h2load, 0.9),
            ("instructions", "HTTP 64", .instructionsPerRequest, nil, 6_000),
            // 1.2, 36 and 55 KiB.
            ("memory", "HTTP", .residentPerViewer, nil, 1_229),
            ("memory", "TLS 1.3", .residentPerViewer, nil, 36_864),
            ("memory", "HTTP/2", .residentPerViewer, nil, 56_320),
            ("burst", "HTTP", .lastSend, .bareSend, 1.3),
            ("burst", "HTTP/2", .lastSend, .overHTTP1, 1.5),
            ("lateness", "HTTP", .latenessMedian, nil, 40),
            ("lateness", "HTTP", .lateness99, nil, 150),
            ("handshake", "TLS 1.3", .cpuPerConnection, .h2load, 1.1),
            ("parse", "new", .parseTime, nil, 5),
            ("parse", "equal", .parseTime, nil, 0.4),
            // 400 MB/s.
            ("parse", "text", .timePerKilobyte, nil, 2_500),
            ("parse", "equal", .timePerKilobyte, nil, 200),
            ("peers", "1000 viewers", .cpuPerViewerMinute, .k6, 0.33),
            ("peers", "1000 viewers", .cpuPerViewerMinute, .locust, 0.25),
            ("peers", "1000 viewers", .breakSpread, nil, 15),
            ("peers", "equal pods", .cpuPerPod, nil, 50),
            ("peers", "own pods", .cpuPerPod, nil, 60),
        ] as [(String, String, Quantity, Subject?, Double)])
        .map { Bar(command: $0, cell: $1, quantity: $2, against: $3, atMost: $4) }
}

enum Quantity: String, Codable, CaseIterable, CodingKeyRepresentable {
    /// Requests are those that nginx counted.
    case cpuPerRequest = "CPU per request between two marks, us"
    case requestsPerSecond = "Requests per second"
    case peakResident = "Peak resident memory of the process per viewer, bytes"
    case instructionsPerRequest = "User instructions per request"
    case cpuPerConnection = "CPU per connection, opened and asked once, us"
    /// A viewer with all its state.
    case residentPerViewer = "Resident memory per viewer, bytes"
    case firstSend = "First send after T, us"
    case medianSend = "Median send after T, us"
    case lastSend = "Last send after T, us"
    case lastAnswer = "Last answer after T, us"
    case latenessMedian = "Planned to sent, p50, us"
    case lateness99 = "Planned to sent, p99, us"
    case lateness999 = "Planned to sent, p99.9, us"
    case latenessMaximum = "Planned to sent, maximum, us"
    case parseTime = "Time per playlist, us"
    /// 1,000 bytes.
    case timePerKilobyte = "Time per kilobyte of playlist text, ns"
    case cpuPerViewerMinute = "CPU per viewer and minute, start and end included, ms"
    case cpuPerPod = "CPU per pod request, a pod's own playlist being one, us"
    case breakSpread = "First to last pod manifest of a break at the target, median break, ms"
    case breakLateness99 = "A break's instant to its pod manifest at the target, p99, ms"
    case podsInTime = "Pods whose playlist the target served within a second of the break, %"
    case polls = "Polls that the target answered"
    case podRequests = "Pod requests that the target answered"
}
