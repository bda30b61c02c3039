import Rulebook

/// Counts requests by kind, and remembers the 100 ms with the most of them.
///
/// Requests are to come in the order of time.
struct BillTally {
    private struct Column {
        var count = 0
        var bodyBytes = 0
        var step: Int64 = 0
        var inStep = 0
        var peak = 0
        var peakStep: Int64 = 0

        mutating func add(bytes: Int, step: Int64) {
            count += 1
            bodyBytes += bytes
            if step != self.step {
                self.step = step
                inStep = 0
            }
            inStep += 1
            guard inStep > peak else { return }
            peak = inStep
            peakStep = step
        }

        func line(of scale: Double) -> RunBill.Line {
            var line = RunBill.Line()
            line.count = BillTally.scaled(count, scale)
            line.bodyBytes = BillTally.scaled(bodyBytes, scale)
            line.peak = BillTally.scaled(peak, scale)
            line.peakAtMilliseconds = Int(clamping: peakStep * 100)
            return line
        }
    }

    private static let stepNanoseconds: Int64 = 100_000_000

    private var columns = [Column](repeating: Column(), count: RequestKind.allCases.count)
    private var all = Column()
    private var second = RunBill.Second(atSeconds: 0, requests: 0, bodyBytes: 0, joins: 0)
    /// The most of each that a second had.
    private var busiest: [RunBill.Second] = []
    private static let measures: [any KeyPath<RunBill.Second, Double> & Sendable] = [\.requests, \.bodyBytes, \.joins]

    /// - Parameters:
    ///   - kind: Of the request.
    ///   - bytes: Of the answer's body.
    ///   - nanoseconds: From the start of the run.
    mutating func add(_ kind: RequestKind, bytes: Int, at nanoseconds: Int64) {
        let step = nanoseconds / Self.stepNanoseconds
        columns[Int(kind.rawValue)].add(bytes: bytes, step: step)
        all.add(bytes: bytes, step: step)
        pass(to: nanoseconds)
        second.requests += 1
        second.bodyBytes += Double(bytes)
    }

    /// - Parameter nanoseconds: When a viewer joins, from the start of the run.
    mutating func join(at nanoseconds: Int64) {
        pass(to: nanoseconds)
        second.joins += 1
    }

    private mutating func pass(to nanoseconds: Int64) {
        let now = Int(clamping: nanoseconds / 1_000_000_000)
        guard now > second.atSeconds else { return }
        busiest = busiestSoFar
        second = RunBill.Second(atSeconds: now, requests: 0, bodyBytes: 0, joins: 0)
    }

    /// One second for each measure, the one that is being counted among them.
    private var busiestSoFar: [RunBill.Second] {
        guard !busiest.isEmpty else { return Self.measures.map { _ in second } }
        return zip(Self.measures, busiest).map { second[keyPath: $0] > $1[keyPath: $0] ? second : $1 }
    }

    /// Writes what was counted, each figure times `scale`.
    func write(to bill: inout RunBill, scale: Double) {
        for kind in RequestKind.allCases where columns[Int(kind.rawValue)].count > 0 {
            bill.lines[kind] = columns[Int(kind.rawValue)].line(of: scale)
        }
        bill.total = all.line(of: scale)
        bill.busySeconds = busiestSoFar.map { second in
            RunBill.Second(
                atSeconds: second.atSeconds,
                requests: second.requests * scale,
                bodyBytes: second.bodyBytes * scale,
                joins: second.joins * scale
            )
        }
    }

    static func scaled(_ number: Int, _ scale: Double) -> Int {
        Int(exactly: (Double(number) * scale).rounded()) ?? .max
    }
}
