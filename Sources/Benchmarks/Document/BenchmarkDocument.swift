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
        tell("round \(round), \(name), \(subject.rawValue): \(texts.joined(separator: ", "))")
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
        var figures: Figures = [:] { didSet { ratios = figures.ratios } }
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

/// Upper limit of podswarm's median.
struct Bar {
    /// Stable number in documents of benchmarks; limits of one subject share it.
    let number: Int
    let command: String
    let cell: String
    let quantity: Quantity
    /// nil: the figure itself; otherwise its ratio to this subject's.
    let against: Subject?
    let atMost: Double

    static let all =
        ([
            (1, "poll", "HTTP 64", .cpuPerRequest, .wrk, 1.0),
            (1, "poll", "HTTP 1000", .cpuPerRequest, .wrk, 0.9),
            (1, "poll", "HTTP 10000", .cpuPerRequest, .wrk, 0.9),
            (2, "poll", "TLS 1.3 1000", .cpuPerRequest, .wrk, 1.0),
            (2, "poll", "TLS 1.3 5000", .cpuPerRequest, .wrk, 0.9),
            (2, "poll", "HTTP/2 1000", .cpuPerRequest, .h2load, 0.9),
            (2, "poll", "HTTP/2 5000", .cpuPerRequest, .h2load, 0.9),
            (2, "poll", "HTTP/2 in the clear 1000", .cpuPerRequest, .h2load, 0.85),
            (3, "instructions", "HTTP 64", .instructionsPerRequest, nil, 6_000),
            // 1.2, 36 and 55 KiB.
            (4, "memory", "HTTP", .residentPerViewer, nil, 1_229),
            (4, "memory", "TLS 1.3", .residentPerViewer, nil, 36_864),
            (4, "memory", "HTTP/2", .residentPerViewer, nil, 56_320),
            (5, "burst", "HTTP", .lastSend, .bareSend, 1.3),
            (5, "burst", "HTTP/2", .lastSend, .overHTTP1, 1.5),
            (6, "lateness", "HTTP", .latenessMedian, nil, 40),
            (6, "lateness", "HTTP", .lateness99, nil, 150),
            (6, "lateness", Cell.inSlots, .lateness99, nil, 150),
            (6, "lateness", Cell.inSlots, .cpuPerRequest, nil, 30),
            (7, "handshake", "own authority", .cpuPerConnection, .h2load, 1.1),
            (7, "handshake", "system bundle", .cpuPerConnection, .h2load, 1.1),
            (8, "parse", "new", .parseTime, nil, 5),
            (8, "parse", "equal", .parseTime, nil, 0.4),
            // 400 MB/s.
            (9, "parse", "text", .timePerKilobyte, nil, 2_500),
            (9, "parse", "equal", .timePerKilobyte, nil, 200),
            (12, "peers", "1000 viewers", .cpuPerViewerMinute, .k6, 0.33),
            (12, "peers", "1000 viewers", .cpuPerViewerMinute, .locust, 0.25),
            (12, "peers", "1000 viewers", .breakSpread, nil, 15),
            (13, "peers", "equal pods", .cpuPerPod, nil, 50),
            (13, "peers", "own pods", .cpuPerPod, nil, 60),
        ] as [(Int, String, String, Quantity, Subject?, Double)]).map {
            Bar(number: $0, command: $1, cell: $2, quantity: $3, against: $4, atMost: $5)
        }
        + AnswerShape.all.map {
            Bar(number: 11, command: "json", cell: $0.name, quantity: .readTime, against: nil, atMost: 500)
        }
}

struct Verdict: Encodable {
    let bar: Int
    let cell: String
    let quantity: Quantity
    let podswarmDividedBy: Subject?
    let atMost: Double
    let median: Double
    let isMet: Bool

    /// nil if the cell or the bar's subject was not measured.
    init?(_ bar: Bar, _ cell: Cell) {
        let figures = bar.against.map { cell.medianRatios[$0] } ?? cell.medians[.podswarm]
        guard let median = figures?[bar.quantity] else { return nil }
        self.bar = bar.number
        (self.cell, quantity, podswarmDividedBy, atMost) = (bar.cell, bar.quantity, bar.against, bar.atMost)
        self.median = median
        isMet = median <= bar.atMost
    }
}

/// Raw values are keys of the JSON document and end in the unit.
enum Quantity: String, Codable, CaseIterable, CodingKeyRepresentable {
    /// User and system time between two marks, over the requests that nginx counted.
    case cpuPerRequest = "cpu_us_per_request"
    /// User and system time of the whole process, over the requests of the generator's own report.
    case wholeCPUPerRequest = "whole_process_cpu_us_per_request"
    case requestsPerSecond = "requests_per_second"
    case peakResident = "peak_resident_bytes_per_connection"
    case instructionsPerRequest = "user_instructions_per_request"
    case cpuPerConnection = "cpu_us_per_connection"
    /// A viewer with all its state.
    case residentPerViewer = "resident_bytes_per_viewer"
    /// A run gives free memory back to the kernel about once a window.
    case keptPerViewer = "kept_bytes_per_viewer"
    case residentPerConnection = "transport_resident_bytes_per_connection"
    case firstSend = "first_send_us"
    case medianSend = "p50_send_us"
    case lastSend = "last_send_us"
    case lastAnswer = "last_answer_us"
    case latenessMedian = "lateness_p50_us"
    case lateness99 = "lateness_p99_us"
    case lateness999 = "lateness_p999_us"
    case latenessMaximum = "lateness_max_us"
    case parseTime = "parse_us"
    case parseThroughput = "parse_megabytes_per_second"
    /// 1,000 bytes.
    case timePerKilobyte = "ns_per_kilobyte"
    case readTime = "read_ms"
    /// User and system time of the whole process.
    case cpuPerViewerMinute = "cpu_ms_per_viewer_minute"
    case cpuPerPod = "cpu_us_per_pod_request"
    case breakSpread = "break_spread_ms"
    case breakLateness99 = "break_lateness_p99_ms"
    case podsInTime = "pods_in_time_percent"
    case polls
    case podRequests = "pod_requests"

    var title: String {
        switch self {
        case .cpuPerRequest: "CPU per request between two marks, us"
        case .wholeCPUPerRequest: "CPU per request of the whole process, connecting included, us"
        case .requestsPerSecond: "Requests per second"
        case .peakResident: "Peak resident memory of the process per connection, bytes"
        case .instructionsPerRequest: "User instructions per request"
        case .cpuPerConnection: "CPU per connection, opened and asked once, us"
        case .residentPerViewer: "Resident memory per viewer, bytes"
        case .keptPerViewer: "Resident memory per viewer after free memory was given back, bytes"
        case .residentPerConnection: "Resident memory per idle connection of the transport alone, bytes"
        case .firstSend: "First send after T, us"
        case .medianSend: "Median send after T, us"
        case .lastSend: "Last send after T, us"
        case .lastAnswer: "Last answer after T, us"
        case .latenessMedian: "Planned to sent, p50, us"
        case .lateness99: "Planned to sent, p99, us"
        case .lateness999: "Planned to sent, p99.9, us"
        case .latenessMaximum: "Planned to sent, maximum, us"
        case .parseTime: "Time per playlist, us"
        case .parseThroughput: "Playlist text, MB/s"
        case .timePerKilobyte: "Time per kilobyte of playlist text, ns"
        case .readTime: "Time to read or refuse an answer, ms"
        case .cpuPerViewerMinute: "CPU per viewer and minute, start and end included, ms"
        case .cpuPerPod: "CPU per pod request, a pod's own playlist being one, us"
        case .breakSpread: "First to last pod manifest of a break at the target, median break, ms"
        case .breakLateness99: "A break's instant to its pod manifest at the target, p99, ms"
        case .podsInTime: "Pods whose playlist the target served within a second of the break, %"
        case .polls: "Polls that the target answered"
        case .podRequests: "Pod requests that the target answered"
        }
    }
}
