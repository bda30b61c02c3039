package import Results
import Rules

enum RunSections {
    static func run(_ document: ResultDocument) -> Section {
        let counts = document.viewers.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Fact($0.key, .count($0.value)) }
        let observed = asked(document) {
            $0.observed.map { $0 != 0 } ?? false || $0.requested != nil && $0.observed != nil
        }
        return Section("run", "What was run", link: "Run", isFolded: true).showing([
            observed.only(.text),
            asked(document) { $0.requested ?? 0 != 0 || $0.observed ?? 0 != 0 }.only([.markdown, .page]),
            .beside([
                [.heading("Run"), .facts(facts(document))],
                [
                    .heading("Machine"), .facts(machine(document.run.host)),
                    .folded("What viewers did", [.facts(counts)]),
                ],
            ]).only([.markdown, .page]),
        ])
    }

    private static func asked(_ document: ResultDocument, where isShown: (RunDescription.Asked) -> Bool) -> Block {
        Table("What was asked and what came of it", ["quantity", "asked for", "observed"]).listing(
            document.run.asked.filter(isShown)
        ) { asked in
            let text = { (value: Double?) in (value.map { quantity($0, unit: asked.unit) }).orDash }
            return .init([Words(asked.name), text(asked.requested), text(asked.observed)])
        }
    }

    private static func quantity(_ value: Double, unit: String) -> String {
        if value == 0 { return "0" }
        return switch unit {
        case "count": MetricText.number(value)
        case "us": MetricText.time(microseconds: value)
        case "ms": MetricText.time(microseconds: value * 1_000)
        default: MetricText.number(value) + " " + unit
        }
    }

    private static func facts(_ document: ResultDocument) -> [Fact?] {
        let run = document.run
        let tls = run.tlsVerified.map { $0 ? "certificates verified" : "certificates not verified (--insecure)" }
        let labels = run.labels.sorted { $0.key < $1.key }.prefix(20).map { Fact("Label \($0.key)", Words($0.value)) }
        let versions = run.versions.filter { $0.key != "podswarm" }.sorted { $0.key < $1.key }
        let facts = [
            Fact("Profile", .code(run.profile)), Fact("Digest", .code(run.profileDigest)),
            Fact("Seed", .code("\(run.seed)")), Fact("Target", .code(run.target)),
            Fact("Started", Words(TimeText.instant(run.startedAtMicroseconds))),
            Fact("Ended", Words(TimeText.instant(run.endedAtMicroseconds))), Fact("Event loops", Words("\(run.loops)")),
            Fact("Carried by", Words(run.transports.joined(separator: ", "))), Fact("TLS", Words(tls ?? "no TLS")),
        ]
        let ending: [Fact?] = [
            run.interrupted ? Fact("Ended early", "interrupted") : nil,
            run.abortedBy.map { Fact("Aborted by", .code($0)) }, Fact("podswarm", .code(document.podswarmVersion)),
        ]
        return facts + labels + ending + versions.map { Fact($0.key, Words($0.value)) }
    }

    private static func machine(_ host: HostFacts) -> [Fact] {
        let target = host.sharedWithTarget ? "on this machine too, competing for its cores" : "on another machine"
        return [
            Fact("System", Words("\(host.operatingSystem), \(host.kernel), \(host.architecture)")),
            Fact("Processor", Words("\(TextLayout.counted(host.cpuCount, "core")), \(host.cpuModel)")),
            Fact("Memory", Words(TickText.bytes(Double(host.memoryBytes)))),
            Fact("Descriptor limit", .count(host.descriptorLimit)),
            Fact("Local ports", .count(host.ephemeralPorts)), Fact("Target", Words(target)),
        ]
    }

    static func notes(_ document: ResultDocument) -> Section {
        let notes = (document.notes ?? []).map { Words($0) }
        return Section("notes", "Notes").showing([.list(notes, limit: Limits(markdown: 20))])
    }
}

package enum LeftOutText {
    /// Such as "metadata to ads.example.com".
    package static func subject(_ host: LeftOutResult.Host) -> String {
        let place = host.host.isEmpty ? "addresses other than http or https URLs" : TextLayout.printable(host.host)
        return "\(host.kind) to \(place)\(host.redirectStatus.map { " (redirected with status \($0))" } ?? "")"
    }

    /// Change to the profile that allows the requests.
    package static func remedy(_ host: LeftOutResult.Host) -> String? {
        host.allowedBy.map { "add \(TextLayout.printable(host.host)) to \(TextLayout.printable($0))" }
    }

    package static func news(_ host: LeftOutResult.Host) -> String {
        "Not sent: \(subject(host)), which the profile does not authorise"
            + (remedy(host).map { "; to allow it, \($0)" } ?? "") + "."
    }

    static func others(_ leftOut: LeftOutResult) -> String? {
        let listed = leftOut.hosts.reduce(0) { $0 &+ $1.requests }
        return listed < leftOut.requests
            ? "\(TextLayout.counted(leftOut.requests &- listed, "request")) to hosts that are not listed" : nil
    }
}

package struct WithheldText {
    /// Such as "2 pings, 1 segment of ads".
    package let list: String?

    package init(pings: some BinaryInteger, beacons: some BinaryInteger, adSegments: some BinaryInteger) {
        let parts = [
            pings > 0 ? TextLayout.counted(pings, "ping") : nil,
            beacons > 0 ? TextLayout.counted(beacons, "beacon") : nil,
            adSegments > 0 ? TextLayout.counted(adSegments, "segment") + " of ads" : nil,
        ]
        let said = parts.compactMap { $0 }
        list = said.isEmpty ? nil : said.joined(separator: ", ")
    }
}

package enum ChannelClockText {
    /// Such as "30.0 s ahead of this machine's clock".
    package static func offset(_ microseconds: Int64) -> String {
        let time = TimeText.duration(Int64(clamping: microseconds.magnitude))
        return "\(time) \(microseconds < 0 ? "behind" : "ahead of") this machine's clock"
    }

    package static func sentence(_ microseconds: Int64) -> String {
        "The channel's dates are \(offset(microseconds)): clock or publishing delay, which playlists do not tell apart."
    }
}
