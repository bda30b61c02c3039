/// A limit that podswarm's median must not exceed.
struct Bar {
    /// In the list on the page on benchmarks.
    let number: Int
    let command: String
    let cell: String
    let quantity: Quantity
    /// nil: the figure itself; otherwise podswarm's figure divided by this subject's.
    let against: Subject?
    let atMost: Double

    static let all =
        [
            Bar(1, "poll", "HTTP 64", .cpuPerRequest, against: .wrk, atMost: 1.0),
            Bar(1, "poll", "HTTP 1000", .cpuPerRequest, against: .wrk, atMost: 0.9),
            Bar(1, "poll", "HTTP 10000", .cpuPerRequest, against: .wrk, atMost: 0.9),
            Bar(2, "poll", "TLS 1.3 1000", .cpuPerRequest, against: .wrk, atMost: 1.0),
            Bar(2, "poll", "TLS 1.3 5000", .cpuPerRequest, against: .wrk, atMost: 0.9),
            Bar(2, "poll", "HTTP/2 1000", .cpuPerRequest, against: .h2load, atMost: 0.9),
            Bar(2, "poll", "HTTP/2 5000", .cpuPerRequest, against: .h2load, atMost: 0.9),
            Bar(2, "poll", "HTTP/2 in the clear 1000", .cpuPerRequest, against: .h2load, atMost: 0.85),
            Bar(3, "instructions", "HTTP 64", .instructionsPerRequest, atMost: 6_000),
            // 1.2 KiB; 36 KiB.
            Bar(4, "memory", "HTTP", .residentPerViewer, atMost: 1_229),
            Bar(4, "memory", "TLS 1.3", .residentPerViewer, atMost: 36_864),
            // 55 KiB.
            Bar(4, "memory", "HTTP/2", .residentPerViewer, atMost: 56_320),
            Bar(5, "burst", "HTTP", .lastSend, against: .bareSend, atMost: 1.3),
            Bar(5, "burst", "HTTP/2", .lastSend, against: .overHTTP1, atMost: 1.5),
            Bar(6, "lateness", "HTTP", .latenessMedian, atMost: 40),
            Bar(6, "lateness", "HTTP", .lateness99, atMost: 150),
            Bar(6, "lateness", Cell.inSlots, .lateness99, atMost: 150),
            Bar(6, "lateness", Cell.inSlots, .cpuPerRequest, atMost: 30),
            Bar(7, "handshake", "own authority", .cpuPerConnection, against: .h2load, atMost: 1.1),
            Bar(7, "handshake", "system bundle", .cpuPerConnection, against: .h2load, atMost: 1.1),
            Bar(8, "parse", "new", .parseTime, atMost: 5),
            Bar(8, "parse", "equal", .parseTime, atMost: 0.4),
            Bar(8, "record", "one outcome", .recordTime, atMost: 60),
            // 400 MB/s.
            Bar(9, "parse", "text", .timePerKilobyte, atMost: 2_500),
            Bar(9, "parse", "equal", .timePerKilobyte, atMost: 200),
            Bar(10, "compare", "50 with 50 results", .compareTime, atMost: 2),
        ]
        + AnswerShape.all.map { Bar(11, "json", $0.name, .readTime, atMost: 500) }

    private init(
        _ number: Int,
        _ command: String,
        _ cell: String,
        _ quantity: Quantity,
        against: Subject? = nil,
        atMost: Double
    ) {
        self.number = number
        self.command = command
        self.cell = cell
        self.quantity = quantity
        self.against = against
        self.atMost = atMost
    }
}

struct Verdict: Encodable {
    let bar: Int
    let cell: String
    let quantity: Quantity
    let against: Subject?
    let atMost: Double
    let median: Double
    let isMet: Bool

    private enum CodingKeys: String, CodingKey {
        case bar, cell, quantity
        case against = "podswarm_divided_by"
        case atMost = "at_most"
        case median
        case isMet = "met"
    }

    /// nil where the cell was not measured, or not with the bar's subject.
    init?(_ bar: Bar, _ cell: Cell) {
        let figures = bar.against.map { cell.medianRatios[$0] } ?? cell.medians[.podswarm]
        guard let median = figures?[bar.quantity] else { return nil }
        self.bar = bar.number
        (self.cell, quantity, against, atMost) = (bar.cell, bar.quantity, bar.against, bar.atMost)
        self.median = median
        isMet = median <= bar.atMost
    }
}
