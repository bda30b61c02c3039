import Rules

/// Counts requests by kind, and the busiest 100 ms of each.
///
/// Requests must come in the order of time; each has its viewer's weight.
struct BillTally {
    private struct Column {
        var count = 0.0
        var bodyBytes = 0.0
        var step: Int64 = 0
        var inStep = 0.0
        var peak = 0.0
        var peakStep: Int64 = 0

        mutating func add(bytes: Int, step: Int64, weight: Double) {
            count += weight
            bodyBytes += Double(bytes) * weight
            if step != self.step {
                self.step = step
                inStep = 0
            }
            inStep += weight
            guard inStep > peak else { return }
            peak = inStep
            peakStep = step
        }

        func line(error: Double) -> RunBill.Line {
            var line = RunBill.Line()
            line.count = BillTally.rounded(count)
            line.error = BillTally.rounded(error)
            line.bodyBytes = BillTally.rounded(bodyBytes)
            line.peak = BillTally.rounded(peak)
            line.peakAtMilliseconds = Int(clamping: peakStep * 100)
            return line
        }
    }

    private static let stepNanoseconds: Int64 = 100_000_000

    private let sample: ViewerSample
    private var columns = [Column](repeating: Column(), count: RequestKind.allCases.count)
    /// Sums other than those of requests.
    private var sums: [WritableKeyPath<RunBill, Int>: Double] = [:]
    /// Requests by kind and by place in the sample.
    private var byPlace: [[Double]]
    private var all = Column()
    private var second = RunBill.Second(atSeconds: 0, requests: 0, bodyBytes: 0, joins: 0)
    /// The busiest second of each measure so far.
    private var busiest: [RunBill.Second] = []
    private static let measures: [any KeyPath<RunBill.Second, Double> & Sendable] = [\.requests, \.bodyBytes, \.joins]

    init(of sample: ViewerSample) {
        self.sample = sample
        let places = [Double](repeating: 0, count: sample.counted.count)
        byPlace = Array(repeating: places, count: RequestKind.allCases.count)
    }

    /// `bytes` is the size of the answer's body; `nanoseconds` count from the start of the run.
    ///
    /// `weight` is the number of viewers that the asking one represents, `place` its place in the sample.
    mutating func add(_ kind: RequestKind, bytes: Int, at nanoseconds: Int64, weight: Double, by place: Int?) {
        let step = nanoseconds / Self.stepNanoseconds
        columns[Int(kind.rawValue)].add(bytes: bytes, step: step, weight: weight)
        all.add(bytes: bytes, step: step, weight: weight)
        if let place { byPlace[Int(kind.rawValue)][place] += 1 }
        pass(to: nanoseconds)
        second.requests += weight
        second.bodyBytes += Double(bytes) * weight
    }

    mutating func add(_ sum: WritableKeyPath<RunBill, Int>, _ number: UInt64 = 1, weight: Double) {
        sums[sum, default: 0] += Double(number) * weight
    }

    /// `nanoseconds` count from the start of the run.
    mutating func join(at nanoseconds: Int64, weight: Double) {
        pass(to: nanoseconds)
        second.joins += weight
    }

    private mutating func pass(to nanoseconds: Int64) {
        let now = Int(clamping: nanoseconds / 1_000_000_000)
        guard now > second.atSeconds else { return }
        busiest = busiestSoFar
        second = RunBill.Second(atSeconds: now, requests: 0, bodyBytes: 0, joins: 0)
    }

    /// One second for each measure; the present second may be one of them.
    private var busiestSoFar: [RunBill.Second] {
        guard !busiest.isEmpty else { return Self.measures.map { _ in second } }
        return zip(Self.measures, busiest).map { second[keyPath: $0] > $1[keyPath: $0] ? second : $1 }
    }

    func bill() -> RunBill {
        var bill = RunBill()
        for kind in RequestKind.allCases where columns[Int(kind.rawValue)].count > 0 {
            let error = sample.error(of: byPlace[Int(kind.rawValue)])
            bill.lines[kind] = columns[Int(kind.rawValue)].line(error: error)
        }
        let ofEach = sample.counted.indices.map { place in byPlace.reduce(0) { $0 + $1[place] } }
        bill.total = all.line(error: sample.error(of: ofEach))
        bill.busySeconds = busiestSoFar
        for (field, sum) in sums { bill[keyPath: field] = Self.rounded(sum) }
        bill.counted = sample.counted.count
        return bill
    }

    private static func rounded(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? .max }
}
