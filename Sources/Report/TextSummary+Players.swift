import RunResult
import Thresholds

extension TextSummary {
    /// Each persona's punctuality, and which of its facts nobody confirms.
    func audience() -> [String] {
        guard let personas = document.audience?.personas, !personas.isEmpty else { return [] }
        var table = TextTable(header: [
            "persona", "share", "on time", "due", "late", "failed", "viewers", "deadline", "playhead at",
        ])
        for persona in personas { table.rows.append(row(persona)) }
        let unconfirmed = personas.filter { !$0.unconfirmed.isEmpty }.flatMap { persona in
            TextLayout.wrapped(
                "\(persona.name), unconfirmed: " + persona.unconfirmed.joined(separator: ", "),
                width: width,
                indent: "  ",
                hanging: "  "
            )
        }
        return [style.inked("Personas", .bold)] + table.lines(width: width) + unconfirmed
    }

    private func row(_ persona: AudienceResult.Persona) -> [String] {
        let breaks = persona.breaks
        return [
            persona.name,
            MetricText.percent(persona.sharePercent),
            breaks.onTimePercent.map(MetricText.percent) ?? "-",
            TextLayout.grouped(breaks.due),
            TextLayout.grouped(breaks.late),
            TextLayout.grouped(breaks.failed &+ breaks.unresolved),
            persona.viewers.map { TextLayout.grouped($0) } ?? "-",
            persona.deadlineMilliseconds.map { time($0.multipliedReportingOverflow(by: 1_000).partialValue) } ?? "-",
            breaks.playheadMeanMicroseconds.map { ($0 < 0 ? "" : "+") + time($0) } ?? "-",
        ]
    }

    /// How the breaks of viewers' schedules ended.
    func events() -> [String] {
        guard let told = ToldEvents(document) else { return [] }
        let events = told.counts
        let ends = events.ends.filter { $0.count > 0 || $0.name == "finished" }
            .map { "\($0.name.replacing("_", with: " ")) \(TextLayout.grouped($0.count))" }
        var text =
            "\(TextLayout.grouped(events.started)) started; \(ends.joined(separator: ", "))"
            + (events.changed > 0 ? "; changed \(TextLayout.grouped(events.changed))" : "")
        if events.restricted > 0 { text += "; forbidden to skip or jump \(TextLayout.grouped(events.restricted))" }
        let head =
            style.inked(told.noun.title, .bold) + "  "
            + TextLayout.cut(
                "\(TextLayout.grouped(events.scheduled)) scheduled",
                to: max(0, width - told.noun.title.count - 2)
            )
        let lines = [head] + TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
        guard events.unaccounted != 0 else { return lines }
        let missing = "\(TextLayout.grouped(events.unaccounted)) of them came to no end that is known"
        return lines + TextLayout.wrapped(missing, width: width, indent: "  ").map { style.inked($0, .yellow) }
    }

    /// How the news of breaks spread.
    func discovery() -> [String] {
        guard let all = document.breaks.discovery else { return [] }
        let text =
            "of a break reached the viewers after the first: "
            + all.sentence([.p50, .p99])
        let told = document.breaks.measured.filter { $0.discovery != nil }
        var table = TextTable(header: ["break", "viewers", "p50", "p90", "p99", "last"])
        for entry in told.suffix(Self.breakLimit) {
            guard let discovery = entry.discovery else { continue }
            func figure(_ statistic: Statistic, _ microseconds: Int64?) -> String {
                let most = discovery.maximumMicroseconds
                return TimeText.percentile(statistic, microseconds, of: discovery.viewers, maximum: most) ?? "later"
            }
            table.rows.append([
                entry.key, TextLayout.grouped(discovery.viewers), figure(.p50, discovery.p50Microseconds),
                figure(.p90, discovery.p90Microseconds), figure(.p99, discovery.p99Microseconds),
                time(discovery.maximumMicroseconds),
            ])
        }
        let hidden = told.count - table.rows.count
        let more = hidden > 0 ? ["  \(TextLayout.counted(hidden, "earlier break")) in the result"] : []
        let lines = TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
        return [style.inked("News", .bold)] + lines + (told.count > 1 ? table.lines(width: width) + more : [])
    }

    /// How far the channel's dates are from this machine's clock.
    func channelClock() -> [String] {
        guard let offset = document.channelOffsetMicroseconds else { return [] }
        let text = "dates \(ChannelClockText.offset(offset)) (clock or publishing delay)"
        return [style.inked("Channel", .bold)] + TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
    }

    /// Stalls, distance from the live edge, and what came of delivery directives.
    func playback() -> [String] {
        guard let playback = document.playback else { return [] }
        var parts: [String] = []
        if playback.stalls > 0 || playback.liveLatency != nil {
            let stalled = playback.stalledMilliseconds.multipliedReportingOverflow(by: 1_000).partialValue
            parts.append(
                playback.stalls == 0
                    ? "no stalls"
                    : "\(TextLayout.counted(playback.stalls, "stall")), \(time(Int64(clamping: stalled))) in all"
            )
        }
        if let latency = playback.liveLatency {
            parts.append(
                "playheads behind the wall clock by " + latency.sentence([.p50, .p99])
            )
        }
        if playback.variantSwitches > 0 {
            parts.append(TextLayout.counted(playback.variantSwitches, "change") + " of variant")
        }
        if playback.seeks > 0 { parts.append(TextLayout.counted(playback.seeks, "seek")) }
        let lines =
            parts.isEmpty
            ? [] : TextLayout.wrapped(parts.joined(separator: "; "), width: width, indent: "  ", hanging: "  ")
        return [style.inked("Playback", .bold)] + lines + lowLatency(playback.lowLatency)
    }

    private func lowLatency(_ counts: PlaybackResult.LowLatency?) -> [String] {
        guard let counts else { return [] }
        let count = { (number: UInt64) in TextLayout.grouped(number) }
        var parts: [String] = []
        if counts.blockingReloads > 0 || counts.blockingFallbacks > 0 {
            parts.append(
                "blocking reloads \(count(counts.blockingReloads)), \(count(counts.blockingFallbacks)) back to polling"
            )
        }
        if counts.deltaUpdates > 0 || counts.deltaRefetches > 0 {
            parts.append(
                "delta updates \(count(counts.deltaUpdates)), \(count(counts.deltaRefetches)) asked for whole again,"
                    + " \(count(counts.deltaMismatches)) wrong"
            )
        }
        if counts.hintsUsed > 0 || counts.hintsGone > 0 {
            parts.append("hints used \(count(counts.hintsUsed)), \(count(counts.hintsGone)) never came")
        }
        let text = parts.joined(separator: "; ")
        return TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
    }
}
