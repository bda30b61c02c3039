import Values

extension PlanRules {
    func judgeBreakTimes() {
        let breaks = plan.breaks
        rule("breaks.jitter", "breaks.trigger", isBroken: breaks.trigger == .rendezvous && breaks.jitter > .zero) {
            "viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
        }
        reading.rule(
            "breaks.jitter",
            "breaks.lead",
            "breaks.trigger",
            isBroken: breaks.trigger == .playhead && breaks.jitter > breaks.lead,
            message: "\(breaks.jitter.text) is longer than the lead of \(breaks.lead.text): "
                + "viewers would ask after the break has begun"
        )
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
        rule("\(field).offset", source, isBroken: offset >= interval) {
            "\(offset.text) is not shorter than \(spelled)"
        }
        let lengths: [(field: String, length: Duration, isTooLong: Bool)] = [
            ("breaks.podDuration", breaks.podDuration, breaks.podDuration > interval),
            ("breaks.grace", breaks.grace, breaks.grace > interval),
            ("breaks.lead", breaks.lead, breaks.lead >= interval),
            ("breaks.preconnect", breaks.preconnect, breaks.preconnect >= interval),
        ]
        for (field, length, isTooLong) in lengths {
            rule(field, source, isBroken: isTooLong) {
                "\(length.text)\(isDefault(field)) is too long for \(spelled)"
            }
        }
    }

    /// A connection opened at the viewer's request or later is not warm.
    private func judgePreconnect() {
        let breaks = plan.breaks
        guard breaks.preconnect > .zero else { return }
        let earliest = breaks.lead + breaks.jitter
        rule("breaks.preconnect", "breaks.lead", "breaks.jitter", isBroken: breaks.preconnect <= earliest) {
            "\(breaks.preconnect.text) before a break is too late: viewers ask up to "
                + "\(earliest.text) before it"
        }
        rule("breaks.preconnect", "connection.transport", isBroken: plan.connection.transport == .curl) {
            "has no effect on libcurl, which opens a connection for a request only; "
                + "leave it out or set connection.transport to auto"
        }
        rule("breaks.preconnect", "connection.protocol", isBroken: plan.connection.version == .http2) {
            "has no effect over HTTP/2, where a viewer keeps one connection for everything"
        }
    }
}
