import Rules

package struct RequestResult: Equatable, Codable, Sendable {
    package var count: UInt64
    package var errors: UInt64
    package var errorPercent: Double
    package var outcomes: [String: UInt64]
    package var bodyBytes: UInt64
    package var newConnections: UInt64
    package var carried: [String: UInt64]?
    package var repeated: UInt64?
    package var unstamped: UInt64?
    package var outgrewBuffer: UInt64?
    package var latencies: [String: LatencyResult]

    init(totals: RunTotals, kind: RequestKind) {
        count = totals.requestCount(of: kind)
        errors = totals.errorCount(of: kind)
        errorPercent = count == 0 ? 0 : Double(errors) * 100 / Double(count)
        outcomes = totals.requests.outcomesByCode(kind)
        bodyBytes = totals.requests.count(kind, .bodyBytes)
        newConnections = totals.requests.count(kind, .newConnections)
        carried = Carrier.allCases.reduce(into: [:]) { $0[$1.name] = totals.requests.carried(kind, by: $1) }
        repeated = totals.requests.count(kind, .repeated)
        unstamped = totals.requests.count(kind, .unstamped)
        outgrewBuffer = totals.requests.count(kind, .outgrown)
        latencies = LatencyMetric.allCases.reduce(into: [:]) { results, metric in
            results[metric.name] = LatencyResult(totals.latency(kind, metric))
        }
    }
}

package struct LatencyResult: Equatable, Codable, Sendable {
    package struct Distribution: Equatable, Codable, Sendable {
        package var encoding: String
        package var data: String
        package var minimumMicroseconds: Int64
        package var maximumMicroseconds: Int64
    }

    package var count: UInt64
    package var minimumMicroseconds: Int64
    package var maximumMicroseconds: Int64
    package var sumMicroseconds: Int64
    package var meanMicroseconds: Double
    package var p50Microseconds: Int64
    package var p90Microseconds: Int64
    package var p95Microseconds: Int64
    package var p99Microseconds: Int64
    package var p999Microseconds: Int64
    package var outOfRange: UInt64
    package var histogram: Distribution

    package init?(_ histogram: some BucketedDurations) {
        let percentiles = histogram.microseconds(atPercentiles: [50, 90, 95, 99, 99.9]).compactMap(\.self)
        guard percentiles.count == 5, let mean = histogram.meanMicroseconds else { return nil }
        count = histogram.count
        minimumMicroseconds = histogram.minimumMicroseconds
        maximumMicroseconds = histogram.maximumMicroseconds
        sumMicroseconds = histogram.sumMicroseconds
        meanMicroseconds = mean
        p50Microseconds = percentiles[0]
        p90Microseconds = percentiles[1]
        p95Microseconds = percentiles[2]
        p99Microseconds = percentiles[3]
        p999Microseconds = percentiles[4]
        outOfRange = histogram.outOfRange
        let lowest = histogram.digits.index(of: UInt64(clamping: minimumMicroseconds))
        let highest = histogram.digits.index(of: UInt64(clamping: maximumMicroseconds))
        self.histogram = Distribution(
            encoding: HdrEncoding.name,
            data: HdrEncoding.base64(histogram),
            minimumMicroseconds: Int64(clamping: histogram.digits.values(in: lowest).lowerBound),
            maximumMicroseconds: Int64(clamping: histogram.digits.values(in: highest).upperBound)
        )
    }

    package func decoded() throws(FormError) -> SparseHistogram {
        guard histogram.encoding == HdrEncoding.name else {
            throw FormError("the encoding '\(histogram.encoding)' is not \(HdrEncoding.name)")
        }
        var figures = DurationFigures(minimum: minimumMicroseconds, maximum: maximumMicroseconds)
        (figures.sum, figures.aboveRange) = (sumMicroseconds, outOfRange)
        let sparse = try SparseHistogram(decoded: HdrDecoding.buckets(base64: histogram.data), figures)
        guard sparse.count == count else { throw .contradiction("count") }
        return sparse
    }
}

package struct EdgeResults: Equatable, Codable, Sendable {
    /// Listed edges; those with fewest answers are in `others`.
    package static let limit = 64

    package var each: [EdgeResult]
    package var others: [String: AnswerResult]?
    package var withoutConnection: UInt64
    package var failedConnects: [String: UInt64]?

    init?(_ edges: [Edge: [RequestKind: AnswerFigures]], failedConnects: [String: UInt64]) {
        let known = edges.filter { $0.key != .none && $0.key != .others }
        guard !known.isEmpty else { return nil }
        let sorted = known.map { ($0.key, $0.value, $0.value.values.reduce(0) { $0 &+ $1.count }) }
            .sorted { ($1.2, $0.0) < ($0.2, $1.0) }
        each = sorted.prefix(Self.limit).map { EdgeResult($0.0, $0.1) }
        var others = edges[.others] ?? [:]
        for (_, kinds, _) in sorted.dropFirst(Self.limit) { others.add(kinds) }
        self.others = others.isEmpty ? nil : AnswerResult.named(others)
        withoutConnection = (edges[.none] ?? [:]).values.reduce(0) { $0 &+ $1.count }
        self.failedConnects = failedConnects.isEmpty ? nil : failedConnects
    }
}

package struct EdgeResult: Equatable, Codable, Sendable {
    package var address: String
    package var pop: String?
    package var count: UInt64
    package var errors: UInt64
    package var requests: [String: AnswerResult]

    init(_ edge: Edge, _ kinds: [RequestKind: AnswerFigures]) {
        address = edge.address
        pop = edge.pop.isEmpty ? nil : edge.pop
        count = kinds.values.reduce(0) { $0 &+ $1.count }
        errors = kinds.values.reduce(0) { $0 &+ $1.errors }
        requests = AnswerResult.named(kinds)
    }

    package var name: String { pop.map { "\(address) \($0)" } ?? address }
}

package struct AnswerResult: Equatable, Codable, Sendable {
    package var count: UInt64
    package var errors: UInt64
    package var p50Microseconds: Int64?
    package var p90Microseconds: Int64?
    package var p99Microseconds: Int64?
    package var maximumMicroseconds: Int64?
    package var cacheHits: UInt64?
    package var cacheMisses: UInt64?

    init(_ figures: Answers<some BucketedDurations>) {
        count = figures.count
        errors = figures.errors
        if figures.cacheHits &+ figures.cacheMisses > 0 {
            cacheHits = figures.cacheHits
            cacheMisses = figures.cacheMisses
        }
        let percentiles = figures.response.microseconds(atPercentiles: [50, 90, 99])
        p50Microseconds = percentiles[0]
        p90Microseconds = percentiles[1]
        p99Microseconds = percentiles[2]
        maximumMicroseconds = figures.response.count == 0 ? nil : figures.response.maximumMicroseconds
    }

    static func named(_ kinds: [RequestKind: AnswerFigures]) -> [String: AnswerResult] {
        kinds.reduce(into: [:]) { $0[$1.key.name] = AnswerResult($1.value) }
    }
}

package struct SlowAnswerResult: Equatable, Codable, Sendable {
    package var kind: String
    package var breakKey: String?
    package var responseMicroseconds: Int64
    package var wallMicroseconds: Int64
    package var offsetMilliseconds: Int64
    package var viewer: Int
    package var outcome: String
    package var url: String
    package var address: String?
    package var served: String?
    package var traceID: String?

    init(_ answer: SlowAnswer, runStartMicroseconds: Int64) {
        kind = answer.kind.name
        breakKey = answer.breakKey.isEmpty ? nil : answer.breakKey
        responseMicroseconds = answer.responseMicroseconds
        wallMicroseconds = answer.sighting.wallMicroseconds
        offsetMilliseconds = (wallMicroseconds &- runStartMicroseconds) / 1_000
        viewer = answer.sighting.viewer
        outcome = answer.outcome
        url = answer.sighting.evidence.url
        (address, served, traceID) = answer.sighting.evidence.served.shown
    }

    static func all(_ answers: SlowestAnswers, runStartMicroseconds: Int64) -> [SlowAnswerResult]? {
        answers.isEmpty ? nil : answers.all.map { SlowAnswerResult($0, runStartMicroseconds: runStartMicroseconds) }
    }
}

package struct ServerWarningResult: Equatable, Codable, Sendable {
    package struct Text: Equatable, Codable, Sendable {
        package var text: String
        package var answers: UInt64
    }

    package var kind: String
    package var answers: UInt64
    package var texts: [Text]

    static func all(_ warnings: ServerWarnings) -> [ServerWarningResult]? {
        guard !warnings.isEmpty else { return nil }
        return warnings.kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, entry in
            let sorted = entry.texts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let texts = sorted.map { Text(text: $0.key, answers: $0.value) }
            return ServerWarningResult(kind: kind.name, answers: entry.answers, texts: texts)
        }
    }
}

package struct LeftOutResult: Equatable, Codable, Sendable {
    package struct Host: Equatable, Codable, Sendable {
        package var kind: String
        package var host: String
        package var requests: UInt64
        package var allowedBy: String?
        package var redirectStatus: Int?

        package init(_ key: LeftOutLedger.Key, requests: UInt64) {
            kind = key.kind.name
            host = key.host
            self.requests = requests
            allowedBy = key.field.isEmpty ? nil : key.field
            redirectStatus = key.redirect
        }
    }

    package var requests: UInt64
    package var hosts: [Host]

    init?(_ ledger: LeftOutLedger) {
        guard !ledger.isEmpty else { return nil }
        requests = ledger.requests
        hosts = ledger.rows.sorted { $0.key < $1.key }.map { Host($0.key, requests: $0.value) }
    }
}
