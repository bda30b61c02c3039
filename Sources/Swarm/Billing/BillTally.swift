package import Rules
package import Viewer

/// Requests must come in the order of time.
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
    private var sums: [WritableKeyPath<RunBill, Int>: Double] = [:]
    /// Indexed by kind and by place in the sample.
    private var byPlace: [[Double]]
    private var all = Column()
    private var second = RunBill.Second(atSeconds: 0, requests: 0, bodyBytes: 0, joins: 0)
    private var busiest: [RunBill.Second] = []
    private static let measures: [any KeyPath<RunBill.Second, Double> & Sendable] = [\.requests, \.bodyBytes, \.joins]

    init(of sample: ViewerSample) {
        self.sample = sample
        let places = [Double](repeating: 0, count: sample.counted.count)
        byPlace = Array(repeating: places, count: RequestKind.allCases.count)
    }

    /// `nanoseconds` count from the start of the run; `weight` is the number of viewers that the asking one represents.
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

    /// One second for each measure.
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

/// Requests of a run, counted before it.
package struct RunBill: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package var count = 0
        /// Two standard errors, because only some viewers were counted.
        package var error = 0
        /// As sent.
        package var bodyBytes = 0
        /// Most requests within 100 ms.
        package var peak = 0
        /// Start of the peak, from the start of the run.
        package var peakAtMilliseconds = 0

        package init() {}
    }

    package struct Second: Sendable, Equatable {
        /// From the start of the run.
        package var atSeconds: Int
        package var requests: Double
        package var bodyBytes: Double
        package var joins: Double

        package init(atSeconds: Int, requests: Double, bodyBytes: Double, joins: Double) {
            self.atSeconds = atSeconds
            self.requests = requests
            self.bodyBytes = bodyBytes
            self.joins = joins
        }
    }

    package var lines: [RequestKind: Line] = [:]
    package var total = Line()
    /// The seconds with the most requests, the most body bytes, and the most joins.
    package var busySeconds: [Second] = []
    /// Including viewers that replace others.
    package var joined = 0
    package var replaced = 0
    /// Breaks that at least one viewer is due for.
    package var breaks = 0
    /// Summed over the viewers.
    package var breaksDue = 0
    /// Their requests are registrations.
    package var renewals = 0
    /// Requests that would be sent if impressions were allowed.
    package var pingsWithheld = 0
    package var beaconsWithheld = 0
    package var adSegmentsWithheld = 0
    /// Viewers counted one by one; their sums are extrapolated.
    package var counted = 0
    /// Without replacements.
    package var planned = 0
    /// Viewers that never left and requests without an end: a defect of podswarm.
    package var unaccounted = 0
    /// Nil where all join and stay.
    package var course: AudienceCourse?

    package init() {}
}
