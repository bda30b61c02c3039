import Recording
import Results
import Rules

/// A run as Prometheus scrapes it: every figure that changes during the run, with labels from closed sets.
///
/// Names follow "Metric and label naming" of Prometheus's documentation: base units, counters that end in `_total`. No series
/// disappears during a run, and no text of the target becomes a label.
package struct PrometheusExposition {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    let run: LiveState

    package func render() -> String {
        var text = PrometheusText()
        writeRun(to: &text)
        writeViewers(to: &text)
        writeRequests(to: &text)
        writeLatencies(to: &text)
        writeBreaks(to: &text)
        writeLatestBreak(to: &text)
        writeFindings(to: &text)
        writeGenerator(to: &text)
        writeShards(to: &text)
        return text.text
    }

    private func writeRun(to text: inout PrometheusText) {
        let info =
            [("profile", run.profile), ("target", run.target), ("version", PodswarmVersion.current)]
            .map { ($0.0, UserLabels.bounded($0.1)) }
        text.family(
            "podswarm_run_info",
            .gauge,
            "What is run: the profile, its target, the version of podswarm, and the labels given to the run.",
            [.init(labels: info + UserLabels(run.labels, apartFrom: info.map(\.0)).pairs, value: .count(1))]
        )
        text.single(
            "podswarm_run_start_time_seconds",
            .gauge,
            "When the first viewer joined, since the Unix epoch.",
            .seconds(run.startedAtMicroseconds)
        )
        text.single(
            "podswarm_run_elapsed_seconds",
            .gauge,
            "How long the run has gone on.",
            .count(run.progress.elapsedSeconds)
        )
        if let left = run.progress.secondsLeft {
            text.single("podswarm_run_remaining_seconds", .gauge, "How long the run will go on.", .count(left))
        }
        text.single(
            "podswarm_run_ended",
            .gauge,
            "1 once the run is over and its figures are final.",
            .flag(run.result != nil)
        )
    }

    /// Counters of durations, not of events.
    private static let durations: Set<ViewerCounter> = [
        .podAskedMilliseconds, .podFilledMilliseconds, .stalledMilliseconds,
    ]

    private func seconds(_ counter: ViewerCounter) -> PrometheusText.Value {
        let microseconds = Int64(clamping: run.totals.count(of: counter)).multipliedReportingOverflow(by: 1_000)
        return .seconds(microseconds.overflow ? .max : microseconds.partialValue)
    }

    private func writeViewers(to text: inout PrometheusText) {
        text.family(
            "podswarm_viewers",
            .gauge,
            "Viewers by the phase of life they are in.",
            run.progress.viewers.map {
                .init(labels: [("phase", $0.name.replacing(" ", with: "_"))], value: .count($0.count))
            }
        )
        text.family(
            "podswarm_viewer_events_total",
            .counter,
            "What viewers did, by event.",
            ViewerCounter.allCases.filter { !Self.durations.contains($0) }.map {
                .init(labels: [("event", $0.name)], value: .count(run.totals.count(of: $0)))
            }
        )
        text.single(
            "podswarm_pod_asked_seconds_total",
            .counter,
            "Time of break that pods were asked for.",
            seconds(.podAskedMilliseconds)
        )
        text.single(
            "podswarm_pod_filled_seconds_total",
            .counter,
            "Time of the pods that came: divided by what was asked for, the fill rate.",
            seconds(.podFilledMilliseconds)
        )
        text.family(
            "podswarm_live_latency_seconds",
            .histogram,
            "How far playheads were behind the wall clock when they reached a break.",
            PrometheusHistogram(run.totals.liveLatency).samples([])
        )
        text.single(
            "podswarm_stalled_seconds_total",
            .counter,
            "Time that viewers' playback stood still, because the playhead had reached the end of what was loaded.",
            seconds(.stalledMilliseconds)
        )
    }
}

extension LiveState {
    package func prometheusText() -> String {
        PrometheusExposition(run: self).render()
    }
}

/// The user's labels of a run as valid Prometheus labels, limited in number and length.
struct UserLabels {
    static let limit = 16
    static let textLimit = 128

    let pairs: [(name: String, value: String)]

    /// Adds labels by name; a collision with a used name gets the prefix `label_`.
    init(_ labels: [String: String], apartFrom used: [String]) {
        var taken = Set(used)
        var pairs: [(name: String, value: String)] = []
        for (name, value) in labels.sorted(by: { $0.key < $1.key }) where pairs.count < Self.limit {
            var fit = Self.fit(name)
            if taken.contains(fit) { fit = "label_" + fit }
            guard taken.insert(fit).inserted else { continue }
            pairs.append((fit, Self.bounded(value)))
        }
        self.pairs = pairs
    }

    static func bounded(_ text: String) -> String { String(text.prefix(textLimit)) }

    /// Letters, digits and underscores; does not begin with a digit, nor with the two underscores that Prometheus reserves.
    private static func fit(_ name: String) -> String {
        let fit = String(
            name.prefix(textLimit).unicodeScalars
                .map {
                    $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) ? Character($0) : "_"
                }
        )
        let startsWell = fit.first.map { !$0.isNumber && $0 != "_" } ?? false
        return startsWell ? fit : "label_" + fit
    }
}
