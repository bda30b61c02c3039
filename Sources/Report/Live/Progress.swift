package import Results
import Rules

/// A block redrawn in place on a terminal, single lines elsewhere.
package enum ProgressLine {
    /// Pass it as `redrawing` so that the next block covers this one.
    package static let height = 4

    /// `redrawing` is the number of lines of the block before, 0 for the first.
    ///
    /// A line wider than `width` could not be redrawn.
    package static func ansi(_ progress: Progress, width: Int, colour: Bool = true, redrawing: Int = 0) -> String {
        let up = redrawing > 0 ? "\u{1b}[\(redrawing)A" : ""
        let errors = progress.errors > 0 || progress.findings > 0
        let punctual = progress.lastBreak.map { $0.onTimePercent >= 99 } ?? true
        let lines: [(String, Ink?)] = [
            (title(progress), .bold),
            ("viewers   " + viewers(progress), nil),
            ("requests  " + requests(progress), errors ? .red : nil),
            ("breaks    " + breaks(progress), punctual ? nil : .yellow),
        ]
        return up
            + lines.map { text, ink in
                let cut = TextLayout.cut(TextLayout.printable(text), to: max(1, width - 1))
                return "\r\u{1b}[2K" + (colour ? ink?.on(cut) ?? cut : cut) + "\n"
            }.joined()
    }

    /// Limits and findings so far; `key` stays the same while its figures grow.
    package static func news(_ progress: Progress, width: Int? = nil) -> [(key: String, text: String)] {
        let limits = progress.limits.map { reason in
            let words: [Substring] = reason.split(separator: " ").filter { word in
                // Figures and units change; a shard's number does not.
                word.hasSuffix(":") || word.count > 3 && word.allSatisfy { $0.isLetter || $0 == "_" }
            }
            // One request is later several.
            let key = words.map { $0.hasSuffix("s") ? $0.dropLast() : $0 }.joined(separator: " ")
            return (key: key, text: "podswarm or its machine limits the run: \(reason)")
        }
        return (limits + progress.found.map { (key: $0, text: "Finding: \($0)") }).map { key, text in
            let line = "\(clock(progress.elapsedSeconds))  \(text)"
            let lines = width.map { TextLayout.wrapped(line, width: $0, hanging: "  ") }
            return (key, (lines ?? [TextLayout.printable(line)]).joined(separator: "\n"))
        }
    }

    /// Without codes and line feed.
    package static func plain(_ progress: Progress) -> String {
        let parts = [title(progress), viewers(progress), requests(progress), breaks(progress)]
        return TextLayout.printable(parts.joined(separator: " | "))
    }

    private static func title(_ progress: Progress) -> String {
        let left = progress.secondsLeft.map { clock($0) + " left" } ?? "no end set"
        return "\(progress.profile)  \(clock(progress.elapsedSeconds)), \(left)"
    }

    private static func viewers(_ progress: Progress) -> String {
        let states = progress.viewers.filter { $0.count > 0 }.map { "\(TextLayout.grouped($0.count)) \($0.name)" }
        return states.isEmpty ? "none yet" : states.joined(separator: ", ")
    }

    private static func requests(_ progress: Progress) -> String {
        let perSecond = progress.requestsPerSecond.isFinite ? progress.requestsPerSecond : 0
        let rate = TextLayout.grouped(Int64(min(max(perSecond, 0), 1e15)))
        let findings = progress.findings > 0 ? ", " + TextLayout.counted(progress.findings, "finding") : ""
        return "\(rate)/s, \(TextLayout.grouped(progress.requests)) in all, "
            + TextLayout.counted(progress.errors, "error") + findings
    }

    private static func breaks(_ progress: Progress) -> String {
        let next = progress.secondsToNextBreak.map { "next in " + clock($0) } ?? "none in sight"
        guard let last = progress.lastBreak else { return next }
        return "\(next), last \(MetricText.percent(last.onTimePercent)) on time"
            + " of \(TextLayout.counted(last.due, "viewer"))"
    }

    private static func clock(_ seconds: Int) -> String { TimeText.elapsed(Double(seconds)) }
}

package struct Progress: Sendable {
    var profile: String
    package var elapsedSeconds: Int
    /// Nil for a run without an end.
    package var secondsLeft: Int?
    /// In the order of a viewer's life cycle.
    var viewers: [(name: String, count: Int)]
    var requestsPerSecond: Double
    var requests: UInt64
    var errors: UInt64
    /// Without advice, with those across viewers.
    var findings: UInt64
    /// Severity, code and meaning of the findings that are not allowed.
    var found: [String] = []
    /// Reasons why the generator would be the limit if the run ended now.
    var limits: [String] = []
    /// Nil if no further break is known.
    package var secondsToNextBreak: Int?
    var lastBreak: (due: UInt64, onTimePercent: Double)?
    /// Requests of the last interval, of each shard.
    var latest: [RequestSums] = []
}

extension Progress {
    /// `latest` has one interval for each shard; `phases` are in the order of an interval's counts.
    package init(of latest: [RunInterval], sum: RunCollector, phases: [String], shards: [LiveShard] = []) {
        let totals = sum.wholeTotals
        let findings = totals.findings.filter { $0.code.severity > .advice }
        let failing = findings.map(\.code).filter { totals.allowedFindings.allowance(for: $0) == nil }
        let judged = sum.settings.warmUpMilliseconds > 0 ? sum.totals : totals
        let now = sum.endMicroseconds
        let planned = sum.settings.plannedMicroseconds
        let untilBreak = latest.compactMap { interval in
            interval.nextBreakMicroseconds.map { $0 &- interval.wallMicroseconds }
        }
        self.init(
            profile: sum.settings.run.profile,
            elapsedSeconds: max(Int(clamping: now / 1_000_000), 0),
            secondsLeft: planned.map { max(Int(clamping: ($0 &- now) / 1_000_000), 0) },
            viewers: phases.enumerated().map { index, name in
                let counts = latest.map(\.viewersByPhase)
                let count = counts.reduce(0) { $0 &+ ($1.indices.contains(index) ? $1[index] : 0) }
                return (name, count)
            },
            requestsPerSecond: latest.reduce(0) {
                $0 + Double($1.counts.requests) * 1e6 / max(Double($1.durationMicroseconds), 1)
            },
            requests: sum.counts.requests,
            errors: sum.counts.errors,
            findings: findings.reduce(0) { $0 &+ $1.count },
            found: Set(failing.map { "\($0.severity.rawValue) \($0.code): \($0.meaning)" }).sorted(),
            limits: shards.isEmpty
                ? sum.generatorLimits(for: judged)
                : shards.flatMap { shard in shard.limits.map { "shard \(shard.index): \($0)" } },
            secondsToNextBreak: untilBreak.min().map { max(Int(clamping: $0 / 1_000_000), 0) },
            lastBreak: totals.latestBreak.map { ($0.due, Double($0.onTime) * 100 / Double(max($0.due, 1))) },
            latest: latest.map(\.sums.requests)
        )
    }
}
