import Results
import Rules
import Values

/// Prometheus's text format, version 0.0.4 ("Exposition formats", section "Text-based format").
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Equal for every run and kind, so that histograms of shards and nights add up.
    static let boundsMicroseconds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 30_000_000, 60_000_000,
    ]

    typealias Labels = [(name: String, value: String)]

    /// The name without its prefix.
    typealias Family = (name: String, samples: [Sample])

    struct Sample {
        let labels: Labels
        let value: Value
        /// Histograms only.
        let suffix: String

        init(_ labels: Labels, _ value: Value, suffix: String = "") {
            (self.labels, self.value, self.suffix) = (labels, value, suffix)
        }
    }

    struct Value {
        let text: String

        static func count(_ count: some BinaryInteger) -> Value { Value(text: String(count)) }

        static func flag(_ isSet: Bool) -> Value { Value(text: isSet ? "1" : "0") }

        static func number(_ number: Double) -> Value {
            guard number.isFinite else { return Value(text: number.isNaN ? "NaN" : number < 0 ? "-Inf" : "+Inf") }
            return Value(text: "\(number)")
        }

        /// Without the rounding of a division.
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

    /// `labels` precede those of each sample; a counter's name ends with `_total`, as Prometheus recommends.
    static func text(_ families: [Family], prefix: String = "podswarm_", labels: Labels = []) -> String {
        families.filter { !$0.samples.isEmpty }.reduce(into: "") { text, family in
            let name = prefix + family.name
            let isHistogram = family.samples.contains { $0.suffix == "_bucket" }
            let kind = isHistogram ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
            text += "# HELP \(name) \(Wording("family", name).word)\n# TYPE \(name) \(kind)\n"
            for sample in family.samples {
                text += name
                text += sample.suffix
                let pairs = (labels + sample.labels).map { "\($0.name)=\"\(escaped($0.value))\"" }
                if !pairs.isEmpty { text += "{" + pairs.joined(separator: ",") + "}" }
                text += " \(sample.value.text)\n"
            }
        }
    }

    /// Ignores unknown codes, as of a damaged file.
    ///
    /// A gauge, not a counter: differences between viewers are judged by the majority, which may change.
    static func findings(_ sightings: some Sequence<(String, UInt64)>) -> Family {
        let counts = Dictionary(sightings, uniquingKeysWith: &+)
        let samples = FindingCode.table.map {
            Sample([("code", $0.code), ("severity", $0.severity.rawValue)], .count(counts[$0.code] ?? 0))
        }
        return ("findings", samples)
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x5c || $0 == 0x0a || $0 == 0x22 }) else { return text }
        return text.replacingScalars { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\"": "\\\""
            default: nil
            }
        }
    }

    /// Figures by the values of `report.by`; empty for a profile without it.
    ///
    /// `total` ends the names of what is counted: "_total" while the run goes on.
    static func groups(_ reported: [ReportedResult]?, total: String) -> [Family] {
        let values = (reported ?? []).flatMap { group in
            group.values.map { (labels: [("by", group.name), ("value", UserLabels.bounded($0.value))], value: $0) }
        }
        let viewers = values.flatMap { labels, value in
            value.breaks.byResult.map { Sample(labels + [("result", $0)], .count($1)) }
        }
        let answers = values.flatMap { labels, value in
            (value.requests ?? [:]).sorted { $0.key < $1.key }.map { (labels + [("kind", $0)], $1) }
        }
        let requests = answers.flatMap { labels, answers in
            [("finished", answers.count), ("error", answers.errors)].map {
                Sample(labels + [("result", $0)], .count($1))
            }
        }
        let responses = answers.flatMap { labels, answers in
            answers.times.compactMap { statistic, time in
                time.map { Sample(labels + [("statistic", statistic.rawValue)], .seconds($0)) }
            }
        }
        return [
            ("group_break_viewers" + total, viewers), ("group_requests" + total, requests),
            ("group_response_seconds", responses),
        ]
    }
}

extension [PrometheusText.Sample] {
    /// Empty for no value.
    static func one(_ value: PrometheusText.Value?) -> Self { value.map { [.init([], $0)] } ?? [] }

    static func by(_ label: String, _ values: [(String, PrometheusText.Value)]) -> Self {
        values.map { .init([(label, $0)], $1) }
    }

    static func by(_ label: String, _ counts: [(String, UInt64)]) -> Self { by(label, counts.map { ($0, .count($1)) }) }

    static func histogram(_ durations: some BucketedDurations, _ labels: PrometheusText.Labels = []) -> Self {
        let bounds = PrometheusText.boundsMicroseconds
        let buckets = zip(bounds, durations.counts(upTo: bounds)).map { (PrometheusText.Value.seconds($0).text, $1) }
        return (buckets + [("+Inf", durations.count)]).map {
            .init(labels + [("le", $0)], .count($1), suffix: "_bucket")
        } + [
            .init(labels, .seconds(durations.sumMicroseconds), suffix: "_sum"),
            .init(labels, .count(durations.count), suffix: "_count"),
        ]
    }
}

extension BucketedDurations {
    /// Durations up to each bound, with the whole HdrHistogram bucket it falls in, as `getCountAtOrBelowValue` counts.
    ///
    /// Exact up to 2 ms, at most 0.1 % above the bound beyond.
    func counts(upTo bounds: [Int64]) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: bounds.count)
        forEachBucket { bucket, inBucket in
            let lowest = Int64(clamping: digits.values(in: bucket).lowerBound)
            for (place, bound) in bounds.enumerated() where lowest <= bound { counts[place] &+= inBucket }
        }
        return counts
    }
}

enum UserLabels {
    private static let limit = 16
    private static let textLimit = 128

    /// A collision with a used name gets the prefix `label_`.
    static func pairs(_ labels: [String: String], apartFrom used: [String]) -> PrometheusText.Labels {
        var taken = Set(used)
        var pairs: PrometheusText.Labels = []
        for (name, value) in labels.sorted(by: { $0.key < $1.key }) where pairs.count < limit {
            var fit = fit(name)
            if taken.contains(fit) { fit = "label_" + fit }
            guard taken.insert(fit).inserted else { continue }
            pairs.append((fit, bounded(value)))
        }
        return pairs
    }

    static func bounded(_ text: String) -> String { String(text.prefix(textLimit)) }

    /// Letters, digits and underscores; Prometheus reserves names that begin with two underscores.
    private static func fit(_ name: String) -> String {
        let fit = String(
            name.prefix(textLimit).unicodeScalars.map {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) ? Character($0) : "_"
            }
        )
        let startsWell = fit.first.map { !$0.isNumber && $0 != "_" } ?? false
        return startsWell ? fit : "label_" + fit
    }
}

/// For the textfile collector of Prometheus's node exporter.
///
/// The labels of each series keep files of several profiles or releases from colliding.
struct ResultMetrics: Sendable {
    let document: ResultDocument

    /// Not allowed in the user's labels.
    private static let own = ["profile", "outcome", "result", "code", "severity", "kind", "statistic", "by", "value"]

    private var labels: PrometheusText.Labels {
        let pairs = UserLabels.pairs(document.run.labels, apartFrom: Self.own)
        return [("profile", TerminalText.printable(UserLabels.bounded(document.run.profile)))]
            + pairs.map { ($0.name, TerminalText.printable($0.value)) }
    }

    func render() -> String {
        let (run, verdict, breaks, playback) = (document.run, document.verdict, document.breaks, document.playback)
        let outcomes = RunVerdict.Outcome.allCases.map { outcome in
            (outcome.rawValue, PrometheusText.Value.flag(outcome == verdict.outcome))
        }
        let measured = breaks.measured
        let viewers = [
            ("due", breaks.due), ("on_time", breaks.onTime), ("late", measured.reduce(0) { $0 &+ $1.late }),
            ("failed", measured.reduce(0) { $0 &+ $1.failed.values.reduce(0, &+) }),
        ]
        let pictures = [("content", playback?.firstPicture), ("break", breaks.firstPicture)]
        let requests = RequestKind.allCases.compactMap { kind in
            document.requests[kind.name].map { (kind: kind.name, result: $0) }
        }
        let responses = requests.map { ($0.kind, $0.result.latencies["response"]) }
        let families: [PrometheusText.Family] = [
            ("verdict", .by("outcome", outcomes)), ("exit_status", .one(.count(verdict.exitCode))),
            ("start_time_seconds", .one(.seconds(run.startedAtMicroseconds))),
            ("end_time_seconds", .one(.seconds(run.endedAtMicroseconds))),
            ("generator_limited", .one(.flag(!document.health.withinBudget))),
            ("breaks", .one(.count(breaks.count))), ("break_viewers", .by("result", viewers)),
            ("on_time_ratio", .one(breaks.onTimePercent.map { .number($0 / 100) })),
            ("rebuffering_ratio", .one(playback?.rebufferingPercent.map { .number($0 / 100) })),
            ("first_picture_seconds", Self.statistics(pictures)),
            PrometheusText.findings(document.findings.map { ($0.code, $0.count) }),
            ("requests", .by("kind", requests.map { ($0.kind, $0.result.count) })),
            ("request_errors", .by("kind", requests.map { ($0.kind, $0.result.errors) })),
            ("response_seconds", Self.statistics(responses)),
        ]
        let groups = PrometheusText.groups(document.by, total: "")
        return PrometheusText.text(families + groups, prefix: "podswarm_result_", labels: labels)
    }

    private static func statistics(_ latencies: [(String, LatencyResult?)]) -> [PrometheusText.Sample] {
        latencies.flatMap { kind, latency in
            [Statistic.p50, .p95, .p99, .max].compactMap { statistic in
                latency.map {
                    .init([("kind", kind), ("statistic", statistic.rawValue)], .seconds($0.microseconds(statistic)))
                }
            }
        }
    }
}
