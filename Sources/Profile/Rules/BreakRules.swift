import AdServing
import Values

extension PlanRules {
    func judgeBreakTimes() {
        let breaks = plan.breaks
        reading["breaks.jitter", "breaks.trigger", if: breaks.trigger == .rendezvous && breaks.jitter > .zero] =
            "viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
        let hasTime = breaks.lead > .zero || breaks.jitter > .zero || breaks.preconnect > .zero
        reading["breaks.trigger", "breaks.lead", "breaks.jitter", if: breaks.trigger == .buffered && hasTime] =
            "buffered: the buffer decides when viewers ask; allowed: no lead, jitter and preconnect, or trigger playhead"
        reading["breaks.clock", "breaks.trigger", if: breaks.clock == .player && breaks.trigger == .rendezvous] =
            "player: each viewer's player reaches a break at its own time; allowed: trigger playhead or buffered"
        reading[
            "breaks.skipping",
            "audience.skips",
            if: breaks.skipping != .never && plan.audience.skips == nil
        ] = "has no effect: no viewer tries to skip; allowed: never, or audience.skips"
        let isLate = breaks.trigger == .playhead && breaks.jitter > breaks.lead
        reading["breaks.jitter", "breaks.lead", "breaks.trigger", if: isLate] =
            "\(breaks.jitter.text) is longer than the lead of \(breaks.lead.text): "
            + "viewers would ask after the break has begun"
        judgePreconnect()
        for (field, source) in sources {
            guard case .every(let interval, let offset) = source else { continue }
            judgeInterval(interval, offset, at: field)
        }
    }

    private func judgeInterval(_ interval: Duration, _ offset: Duration, at field: String) {
        let breaks = plan.breaks
        let source = "\(field).every"
        let spelled = "the break interval of \(interval.text)"
        reading["\(field).offset", source, if: offset >= interval] =
            "\(offset.text) is not shorter than \(spelled)"
        let lengths: [(field: String, length: Duration, isTooLong: Bool)] = [
            ("breaks.podDuration", breaks.podDuration, breaks.podDuration > interval),
            ("breaks.grace", breaks.grace, breaks.grace > interval),
            ("breaks.lead", breaks.lead, breaks.lead >= interval),
            ("breaks.preconnect", breaks.preconnect, breaks.preconnect >= interval),
        ]
        for (field, length, isTooLong) in lengths {
            reading[field, source, if: isTooLong] = "\(length.text)\(isDefault(field)) is too long for \(spelled)"
        }
    }

    /// A connection opened at the viewer's request or later is not warm.
    private func judgePreconnect() {
        let breaks = plan.breaks
        guard breaks.preconnect > .zero else { return }
        let earliest = breaks.lead + breaks.jitter
        reading["breaks.preconnect", "breaks.lead", "breaks.jitter", if: breaks.preconnect <= earliest] =
            "\(breaks.preconnect.text) before a break is too late: viewers ask up to \(earliest.text) before it"
        reading["breaks.preconnect", "connection.transport", if: plan.connection.transport == .curl] =
            "has no effect on libcurl, which opens a connection for a request only; "
            + "leave it out or set connection.transport to auto"
        reading["breaks.preconnect", "connection.proxy", if: plan.connection.proxy != nil] =
            "has no effect through a proxy, to which libcurl opens a connection for a request only; leave one of them out"
        reading["breaks.preconnect", "connection.protocol", if: plan.connection.version == .http2] =
            "has no effect over HTTP/2, where a viewer keeps one connection for everything"
    }

    var sources: [(field: String, source: BreakPlan.Source)] {
        let field = "breaks.source"
        guard case .several(let several) = plan.breaks.source else {
            return plan.breaks.source.each.map { (field, $0) }
        }
        return several.enumerated().map { ("\(field)[\($0)]", $1) }
    }

    func judgeBreakSource() {
        for (field, source) in sources {
            if case .list(let listed) = source { judge(listed, at: "\(field).list") }
            if case .trigger(let trigger) = source { judge(trigger, at: "\(field).trigger") }
        }
        judgeSeveral()
        judgeTemplate()
        guard case .embedded(let origin) = plan.target else { return }
        let readsDateRanges = plan.breaks.source.readsDateRanges
        reading[
            "target.embedded.announceBreaks",
            "breaks.source",
            if: readsDateRanges && !origin.announcesBreaks
        ] = "breaks.source dateRange finds no break in an origin that announces none"
        let followsRule = sources.contains { if case .every = $0.source { true } else { false } }
        reading["breaks.source", "target.embedded", if: readsDateRanges && followsRule] =
            "the embedded origin announces the breaks of every, and each would come twice"
    }

    private func judgeTemplate() {
        let template = plan.breaks.identifierTemplate
        let haveIDs = plan.breaks.source.readsDateRanges || plan.breaks.source.triggerPlan != nil
        reading["breaks.identifierTemplate", "breaks.source", if: template.contains("{id}") && !haveIDs] =
            "{id} needs a breaks.source of date ranges or triggers; allowed: {start}, {ordinal}"
        guard case .several = plan.breaks.source else { return }
        reading["breaks.podIdentifier", "breaks.source", if: plan.breaks.podIdentifier == .sequence] =
            "several sources count their breaks each from 1, and two breaks would have one pod; allowed: synchronised"
        let isUnique =
            plan.breaks.podIdentifier != .synchronised || ["{start}", "{id}"].contains(where: template.contains)
        reading["breaks.identifierTemplate", "breaks.source", if: !isUnique] =
            "several sources count their breaks each from 1, and two breaks would have one name; allowed: {start}, {id}"
    }

    private func judge(_ listed: [ListedBreak], at field: String) {
        reading[field, if: listed.isEmpty] = "has no break in it"
        reading[field, if: zip(listed, listed.dropFirst()).contains { $0.at >= $1.at }] =
            "the breaks are not in ascending order"
        for (earlier, later) in zip(listed, listed.dropFirst()) { judgeOverlap(earlier, later, at: field) }
        let last = listed.last?.at ?? .zero
        reading[field, "duration", if: last >= plan.duration] =
            "the break at \(last.text) is not before the end of the run at \(plan.duration.text)"
    }

    /// All viewers must know of a break before the first of them asks.
    private func judge(_ trigger: TriggerPlan, at field: String) {
        let breaks = plan.breaks
        let (isEarly, lead) = (trigger.lead < breaks.shortestCallLead(shards: 1), "\(field).lead")
        reading[lead, "breaks.lead", "breaks.jitter", "breaks.preconnect", if: isEarly] =
            "\(trigger.lead.text)\(isDefault(lead)) after a call is too early: viewers act up to "
            + "\(max(breaks.lead + breaks.jitter, breaks.preconnect).text) before a break, and learn of it within "
            + TriggerPlan.notice(shards: 1).text
    }

    private func judgeOverlap(_ earlier: ListedBreak, _ later: ListedBreak, at field: String) {
        let length = earlier.duration ?? plan.breaks.podDuration
        reading[field, "breaks.podDuration", if: later.at - earlier.at < length] =
            "the break at \(later.at.text) begins before the one at \(earlier.at.text) ends "
            + "(\(earlier.duration == nil ? "podDuration" : "duration") \(length.text))"
    }

    private func judgeSeveral() {
        guard case .several(let several) = plan.breaks.source else { return }
        let field = "breaks.source"
        reading[field, if: several.count > BreakPlan.Source.mostSources] =
            "has \(several.count) sources; allowed: at most \(BreakPlan.Source.mostSources)"
        let isClicked = several.contains { if case .guideMinute = $0 { true } else { false } }
        reading[field, if: isClicked] = "guideMinute stands alone: its breaks count from each viewer's own click"
        reading[field, if: several.count(where: \.isDateRange) > 1] =
            "has dateRange twice; leave its class out to take the breaks of all classes"
        let triggers = several.count { $0.triggerPlan != nil }
        reading[field, if: triggers > 1] = "has trigger twice; one takes calls by several ways"
        guard reading.isWhollySound(field) else { return }
        // All lists count from the start of the run, so overlaps are known before it.
        let listed = several.flatMap(\.listed).sorted { $0.at < $1.at }
        for (earlier, later) in zip(listed, listed.dropFirst()) { judgeOverlap(earlier, later, at: field) }
        judgeIntervals(several.prefix(BreakPlan.Source.mostSources))
    }

    /// Two clock rules come as near as the greatest common divisor of their intervals allows.
    private func judgeIntervals(_ several: ArraySlice<BreakPlan.Source>) {
        let rules = several.compactMap { source -> (interval: Duration, offset: Duration)? in
            guard case .every(let interval, let offset) = source else { return nil }
            return (interval, offset)
        }
        for (index, one) in rules.enumerated() {
            for other in rules[(index + 1)...] {
                let step = Self.commonDivisor(one.interval.nanosecondsHeld, other.interval.nanosecondsHeld)
                let apart = abs(one.offset.nanosecondsHeld &- other.offset.nanosecondsHeld) % max(step, 1)
                let nearest = Duration.nanoseconds(min(apart, step - apart))
                reading["breaks.source", "breaks.podDuration", if: nearest < plan.breaks.podDuration] =
                    "breaks every \(one.interval.text) and every \(other.interval.text) begin within each "
                    + "other's length (podDuration \(plan.breaks.podDuration.text))"
            }
        }
    }

    private static func commonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
        var (one, other) = (one, other)
        while other != 0 { (one, other) = (other, one % other) }
        return one
    }
}
