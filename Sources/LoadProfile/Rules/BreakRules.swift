import Time

extension PlanRules {
    func judgeBreakTimes() {
        let breaks = plan.breaks
        reading.rule(
            "breaks.jitter",
            "breaks.trigger",
            isBroken: breaks.trigger == .rendezvous && breaks.jitter > .zero,
            message: "viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
        )
        reading.rule(
            "breaks.jitter",
            "breaks.lead",
            "breaks.trigger",
            isBroken: breaks.trigger == .playhead && breaks.jitter > breaks.lead,
            message: "\(breaks.jitter.text) is longer than the lead of \(breaks.lead.text): "
                + "viewers would ask after the break has begun"
        )
        judgePreconnect()
        guard case .every(let interval, let offset) = breaks.source else { return }
        let source = "breaks.source.every"
        let spelled = "the break interval of \(interval.text)"
        reading.rule(
            "breaks.source.offset",
            source,
            isBroken: offset >= interval,
            message: "\(offset.text) is not shorter than \(spelled)"
        )
        let lengths: [(field: String, length: Duration, isTooLong: Bool)] = [
            ("breaks.podDuration", breaks.podDuration, breaks.podDuration > interval),
            ("breaks.grace", breaks.grace, breaks.grace > interval),
            ("breaks.lead", breaks.lead, breaks.lead >= interval),
            ("breaks.preconnect", breaks.preconnect, breaks.preconnect >= interval),
        ]
        for (field, length, isTooLong) in lengths {
            reading.rule(
                field,
                source,
                isBroken: isTooLong,
                message: "\(length.text)\(isDefault(field)) is too long for \(spelled)"
            )
        }
    }

    /// A connection that is opened when the viewer asks, or later, is no warm one.
    private func judgePreconnect() {
        let breaks = plan.breaks
        guard breaks.preconnect > .zero else { return }
        let earliest = breaks.lead + breaks.jitter
        reading.rule(
            "breaks.preconnect",
            "breaks.lead",
            "breaks.jitter",
            isBroken: breaks.preconnect <= earliest,
            message: "\(breaks.preconnect.text) before a break is too late: viewers ask up to "
                + "\(earliest.text) before it"
        )
        reading.rule(
            "breaks.preconnect",
            "connection.transport",
            isBroken: plan.connection.transport == .curl,
            message: "has no effect on libcurl, which opens a connection for a request only; "
                + "leave it out or set connection.transport to auto"
        )
        reading.rule(
            "breaks.preconnect",
            "connection.protocol",
            isBroken: plan.connection.version == .http2,
            message: "has no effect over HTTP/2, where a viewer keeps one connection for everything"
        )
    }

    func judgeBreakSource() {
        judgeList()
        let template = plan.breaks.identifierTemplate
        var namesDateRange = false
        if case .dateRange = plan.breaks.source {
            namesDateRange = true
        }
        reading.rule(
            "breaks.identifierTemplate",
            "breaks.source",
            isBroken: template.contains("{id}") && !namesDateRange,
            message: "{id} names a date range, and breaks.source is none",
            allowed: "{start}, {ordinal}"
        )
        guard case .embedded(let origin) = plan.target else { return }
        reading.rule(
            "target.embedded.announceBreaks",
            "breaks.source",
            isBroken: namesDateRange && !origin.announcesBreaks,
            message: "breaks.source dateRange finds no break in an origin that announces none"
        )
    }

    private func judgeList() {
        guard case .list(let listed) = plan.breaks.source else { return }
        let field = "breaks.source.list"
        reading.rule(field, isBroken: listed.isEmpty, message: "has no break in it")
        reading.rule(
            field,
            isBroken: zip(listed, listed.dropFirst()).contains { $0.at >= $1.at },
            message: "the breaks are not in ascending order"
        )
        for (earlier, later) in zip(listed, listed.dropFirst()) {
            let length = earlier.duration ?? plan.breaks.podDuration
            reading.rule(
                field,
                "breaks.podDuration",
                isBroken: later.at - earlier.at < length,
                message: "the break at \(later.at.text) begins before the one at \(earlier.at.text) ends "
                    + "(\(earlier.duration == nil ? "podDuration" : "duration") \(length.text))"
            )
        }
        let last = listed.last?.at ?? .zero
        reading.rule(
            field,
            "duration",
            isBroken: last >= plan.duration,
            message: "the break at \(last.text) is not before the end of the run at "
                + plan.duration.text
        )
    }
}
