import RunResult
import Thresholds

/// How the players fared: each persona's punctuality, how breaks ended, playback.
struct PlayerSection {
    struct Row {
        var name: String
        var share: String
        var viewers: String
        var due: String
        var percent: String
        var isPunctual: Bool
        var late: String
        var failed: String
        var deadline: String
        var playhead: String
        var unconfirmed: String
        var hasUnconfirmed: Bool
    }

    /// Interstitials, pods or both, with a bar of how they ended.
    struct Events {
        var title: String
        var summary: String
        var bar: Markup
        var keys: [VerdictSection.Figure]
        var missing: String
        var hasMissing: Bool
    }

    var rows: [Row]
    var hasRows: Bool
    var events: Events?
    var figures: [VerdictSection.Figure]
    var hasFigures: Bool

    /// Nil where a result tells nothing of players.
    init?(_ document: ResultDocument) {
        rows = (document.audience?.personas ?? []).map(Self.row)
        hasRows = !rows.isEmpty
        events = ToldEvents(document).map(Self.events)
        figures = document.playback.map(Self.figures) ?? []
        if let offset = document.channelOffsetMicroseconds {
            figures.append(
                .init(
                    label: "Channel's dates",
                    value: TimeText.duration(Int64(clamping: offset.magnitude)),
                    note: "\(offset < 0 ? "behind" : "ahead of") this machine: clock or publishing delay"
                )
            )
        }
        hasFigures = !figures.isEmpty
        guard hasRows || events != nil || hasFigures else { return nil }
    }

    private static func row(_ persona: AudienceResult.Persona) -> Row {
        let breaks = persona.breaks
        return Row(
            name: persona.name,
            share: MetricText.percent(persona.sharePercent),
            viewers: persona.viewers.map { TextLayout.grouped($0) } ?? "–",
            due: TextLayout.grouped(breaks.due),
            percent: breaks.onTimePercent.map(MetricText.percent) ?? "–",
            isPunctual: breaks.onTime >= breaks.due,
            late: TextLayout.grouped(breaks.late),
            failed: TextLayout.grouped(breaks.failed &+ breaks.unresolved),
            deadline: persona.deadlineMilliseconds.map {
                TimeText.duration($0.multipliedReportingOverflow(by: 1_000).partialValue)
            } ?? "–",
            playhead: breaks.playheadMeanMicroseconds.map(TimeText.offset) ?? "–",
            unconfirmed: persona.unconfirmed.joined(separator: ", "),
            hasUnconfirmed: !persona.unconfirmed.isEmpty
        )
    }

    private static func events(_ told: ToldEvents) -> Events {
        let events = told.counts
        let styles = [
            "finished": "ok", "cut_short": "cut", "cancelled": "off", "failed": "bad", "skipped": "late",
            "left": "open",
        ]
        let parts = events.ends.map {
            ShareBar.Part(
                name: $0.name.replacing("_", with: " "),
                count: $0.count,
                style: styles[$0.name] ?? "open"
            )
        }
        var summary =
            "\(TextLayout.counted(events.scheduled, told.noun.rawValue)) in viewers' schedules,"
            + " \(TextLayout.grouped(events.started)) started"
        if events.changed > 0 { summary += ", \(TextLayout.grouped(events.changed)) changed on the way" }
        if events.restricted > 0 {
            summary += ", X-RESTRICT forbade to skip or jump \(TextLayout.counted(events.restricted, "time"))"
        }
        return Events(
            title: told.noun.title,
            summary: summary + ".",
            bar: ShareBar(name: told.noun.title, parts: parts).markup(),
            keys: parts.filter { $0.count > 0 }.map {
                VerdictSection.Figure(label: $0.name, value: TextLayout.grouped($0.count), note: "", tone: $0.style)
            },
            missing: "\(TextLayout.grouped(events.unaccounted)) of them came to no end that is known.",
            hasMissing: events.unaccounted != 0
        )
    }

    private static func figures(_ playback: PlaybackResult) -> [VerdictSection.Figure] {
        let stalled = playback.stalledMilliseconds.multipliedReportingOverflow(by: 1_000).partialValue
        var figures = [
            VerdictSection.Figure(
                label: "Stalls",
                value: TextLayout.grouped(playback.stalls),
                note: playback.stalls == 0 ? "playback never stood still" : TimeText.duration(Int64(clamping: stalled)),
                tone: playback.stalls > 0 ? "warn" : ""
            )
        ]
        if let latency = playback.liveLatency {
            figures.append(
                .init(
                    label: "Behind the wall clock",
                    value: latency.cell(.p50),
                    note: latency.sentence([.p99])
                )
            )
        }
        guard let counts = playback.lowLatency else { return figures }
        figures.append(
            .init(
                label: "Blocking reloads",
                value: TextLayout.grouped(counts.blockingReloads),
                note: "\(TextLayout.grouped(counts.blockingFallbacks)) back to polling"
            )
        )
        figures.append(
            .init(
                label: "Delta updates",
                value: TextLayout.grouped(counts.deltaUpdates),
                note: "\(TextLayout.grouped(counts.deltaRefetches)) whole again,"
                    + " \(TextLayout.grouped(counts.deltaMismatches)) wrong",
                tone: counts.deltaMismatches > 0 ? "bad" : ""
            )
        )
        if counts.hintsUsed > 0 || counts.hintsGone > 0 {
            figures.append(
                .init(
                    label: "Hinted parts",
                    value: TextLayout.grouped(counts.hintsUsed),
                    note: "\(TextLayout.grouped(counts.hintsGone)) never came"
                )
            )
        }
        return figures
    }
}
