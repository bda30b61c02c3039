import RunResult
import Thresholds

/// What was asked, where it was run, and by what: enough to do it again.
struct RunSection {
    struct Fact {
        var name: String
        var value: String
        /// Whether it is a text to be copied, such as a digest.
        var isCode = false
    }

    struct Asked {
        var name: String
        var requested: String
        var observed: String
    }

    var asked: [Asked]
    var hasAsked: Bool
    var facts: [Fact]
    var machine: [Fact]
    var viewers: [Fact]

    init(_ document: ResultDocument) {
        let run = document.run
        // Rows without any figure are left out.
        asked = run.asked.filter { $0.requested ?? 0 != 0 || $0.observed ?? 0 != 0 }.map { asked in
            let text = { (value: Double?) in value.map { Self.quantity($0, unit: asked.unit) } ?? "" }
            return Asked(
                name: asked.name.replacing("_", with: " "),
                requested: text(asked.requested),
                observed: text(asked.observed)
            )
        }
        hasAsked = !asked.isEmpty
        facts = Self.facts(document)
        machine = Self.machine(run.host)
        viewers = document.viewers.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map {
            Fact(name: $0.key.replacing("_", with: " "), value: TextLayout.grouped($0.value))
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

    private static func facts(_ document: ResultDocument) -> [Fact] {
        let run = document.run
        let tls =
            switch run.tlsVerified {
            case true: "certificates verified"
            case false: "certificates not verified (--insecure)"
            default: "no TLS"
            }
        var facts = [
            Fact(name: "Profile", value: run.profileName),
            Fact(name: "Digest", value: run.profileDigest, isCode: true),
            Fact(name: "Seed", value: "\(run.seed)", isCode: true),
            Fact(name: "Target", value: run.target, isCode: true),
            Fact(name: "Started", value: TimeText.instant(run.startedAtMicroseconds)),
            Fact(name: "Ended", value: TimeText.instant(run.endedAtMicroseconds)),
            Fact(name: "Event loops", value: "\(run.loops)"),
            Fact(name: "Carried by", value: run.transports.joined(separator: ", ")),
            Fact(name: "TLS", value: tls),
        ]
        facts += run.labels.sorted { $0.key < $1.key }.map { Fact(name: "Label \($0.key)", value: $0.value) }
        if run.interrupted { facts.append(Fact(name: "Ended early", value: "interrupted")) }
        if let condition = run.abortedBy { facts.append(Fact(name: "Aborted by", value: condition, isCode: true)) }
        facts.append(Fact(name: "podswarm", value: document.podswarmVersion))
        facts += run.versions.filter { $0.key != "podswarm" }.sorted { $0.key < $1.key }
            .map { Fact(name: $0.key, value: $0.value) }
        return facts
    }

    private static func machine(_ host: HostFacts) -> [Fact] {
        [
            Fact(name: "System", value: "\(host.operatingSystem), \(host.kernel), \(host.architecture)"),
            Fact(name: "Processor", value: "\(TextLayout.counted(host.cpuCount, "core")), \(host.cpuModel)"),
            Fact(name: "Memory", value: TickText.bytes(Double(host.memoryBytes))),
            Fact(name: "Descriptor limit", value: TextLayout.grouped(host.descriptorLimit)),
            Fact(name: "Local ports", value: TextLayout.grouped(host.ephemeralPorts)),
            Fact(
                name: "Target",
                value: host.sharedWithTarget ? "on this machine too, competing for its cores" : "on another machine"
            ),
        ]
    }
}

/// The client's counts beside the origin's own.
struct ReconciliationSection {
    struct Row {
        var kind: String
        var answered: String
        var unanswered: String
        var received: String
        var agrees: Bool
        var word: String
    }

    var summary: String
    var agrees: Bool
    var rows: [Row]
    var connections: String

    /// Nil where the target keeps no counts.
    init?(_ reconciliation: Reconciliation?) {
        guard let reconciliation else { return nil }
        agrees = reconciliation.agrees
        summary =
            agrees
            ? "Client and origin counted the same."
            : "Client and origin counted differently: a defect of podswarm."
        rows = reconciliation.rows.filter { $0.clientAnswered > 0 || $0.originReceived > 0 || !$0.agrees }.map {
            Row(
                kind: $0.kind.replacing("_", with: " "),
                answered: TextLayout.grouped($0.clientAnswered),
                unanswered: TextLayout.grouped($0.clientUnanswered),
                received: TextLayout.grouped($0.originReceived),
                agrees: $0.agrees,
                word: $0.agrees ? "agrees" : "differs"
            )
        }
        connections =
            reconciliation.connections.map {
                "The origin saw \(TextLayout.counted($0.total, "connection")) of"
                    + " \(TextLayout.counted($0.viewers, "viewer")), at most \($0.maximumPerViewer) of one viewer;"
                    + " \($0.shared == 0 ? "none" : "\($0.shared)") carried requests of more than one."
            } ?? ""
    }
}
