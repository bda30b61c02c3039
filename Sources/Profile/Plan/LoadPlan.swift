package import Rules
import Values

/// Immutable and validated plan of a run.
package struct LoadPlan: Sendable, Equatable, ProfileFields {
    package var name = ""
    package var summary = ""
    package var seed: UInt64 = 1
    package var duration = Duration.seconds(2_592_000)
    package var target = TargetPlan.embedded(.usual)
    package var audience = AudiencePlan.usual
    package var playback = PlaybackPlan.usual
    package var breaks = BreakPlan.usual
    package var pods = PodPlan.usual
    package var connection = ConnectionPlan.usual
    package var generator = GeneratorPlan.usual
    package var windows = WindowPlan.usual
    package var report = ReportPlan.usual
    package var thresholds: [ThresholdRule] = []
    package var abort: [ThresholdRule] = []
    package var abortAfter = Duration.seconds(30)
    package var allowedFindings: FindingAllowances = [:]
    /// SHA-256 of the canonical form, lower-case hex.
    package var digest = ""
    /// Digest without the target: equal for comparable runs.
    package var workloadDigest = ""
    package var impressions = ImpressionPlan.allowed
    package var channel = ExpectedChannel.usual
    /// Values that must not leave the process: used environment variables, and the token scheme's key.
    package var secrets: Set<String> = []

    package static let fields = FieldList(LoadPlan()) { f in
        f.add("name", \.name, .name, .free)
        f.add("description", \.summary, .prose, .undigested)
        f.add("seed", \.seed, .integer(0...UInt64.max))
        f.add("duration", \.duration, .duration(.seconds(1) ... .seconds(2_592_000)), .required)
        f.digest { $0.target.addLines(to: &$2) }
        f.add("audience", \.audience, .section(allowed: "a mapping with viewers"), .required)
        f.add(
            "target",
            allowed: "one of \(TargetPlan.names.joined(separator: ", "))",
            schema: TargetPlan.schema,
            .required,
            entries: { TargetFields.entries },
            read: { $1.target = TargetPlan.read($0, at: "target") }
        )
        let sent = ScalarRule<ImpressionPlan>.words([("allowed", .allowed), ("withheld", .withheld)])
        f.add("impressions", \.impressions, sent, [.apart, .derived])
        f.add("impressionSink", \.impressions, sink, .apart)
        f.add("playback", \.playback, .section)
        f.add(
            "breaks",
            allowed: "none, or a mapping with source, interstitials or stitched",
            schema: .oneOf([.members([("const", .text("none"))]), BreakPlan.schema()]),
            .required,
            entries: { BreakPlan.entries },
            read: { section, plan in
                let areNone = section.says("none", at: "breaks")
                plan.breaks = areNone ? .usual : section.section("breaks") { BreakPlan(reading: $0, over: .usual) }
            },
            addLines: { $2.add($1, fieldsOf: $0.breaks) }
        )
        f.digest { plan, _, form in
            switch plan.impressions {
            case .allowed: break
            case .withheld: form.add("impressions", "withheld")
            case .sink(let server): form.add("impressionSink", server)
            }
        }
        f.add("channel", \.channel, .section, .undigested)
        f.add("pods", \.pods, .section)
        f.add("connection", \.connection, .section)
        f.add("generator", \.generator, .section)
        f.add("windows", \.windows, .section)
        f.add("report", \.report, .section)
        f.add("thresholds", \.thresholds, .thresholds, .free)
        f.group("abort") {
            $0.add("after", \.abortAfter, .duration(.zero ... .seconds(2_592_000)), .apart)
            $0.add("when", \.abort, .conditions, .required)
            $0.digest { $2.add("\($1).after", $0.abort.isEmpty ? nil : $0.abortAfter) }
        }
        f.add("allowFindings", \.allowedFindings, .allowances, .free)
        f.add(
            Inclusion.field,
            allowed: "the path of a file, or a list of paths, from the folder of the file that names them",
            schema: .oneOf([.type("string"), .type("array").with("items", .type("string"))]),
            .undigested,
            read: { section, _ in _ = section.list(Inclusion.field, of: .text("the path of a file"), isLoose: true) }
        )
    }

    package mutating func settle(_ section: ProfileSection) {
        if !CharacterSets.isFileName(name), section.isPresent, !section.has("name") {
            section.reportMissing("name", allowed: ScalarRule.name.allowed)
        }
        if !section.has("impressions"), impressions == .allowed, !target.isEmbedded { impressions = .withheld }
        if !section.reading.isGiven("playback.renditions.audio") {
            playback.playsAudioRendition = !audience.personas.isEmpty
        }
        audience.curve?.shapePoints(over: duration)
    }

    private static var sink: FieldRule<ImpressionPlan> {
        var rule: FieldRule<ImpressionPlan> = FieldRule<String>(.serverURL)
            .map({ .sink($0) }, from: { $0.addresses.first ?? "" })
        rule.schema = { .type("string") }
        return rule
    }

    /// For a plan that was changed after it was read.
    package func digested() -> LoadPlan {
        var plan = self
        plan.digest = hexadecimalHash(CanonicalForm(.plan, title: "podswarm plan 1"))
        plan.workloadDigest = hexadecimalHash(CanonicalForm(.workload, title: "podswarm workload 1"))
        return plan
    }

    /// SHA-256 in lower-case hex.
    ///
    /// Fields that do not change requests are left out: description, the auth token's key, credentials in headers
    /// (only their presence counts), folders of certificate files. Everything about the generator counts, because only figures
    /// measured in the same way are comparable. The workload also omits differences between compared releases: name, addresses,
    /// faults, thresholds, allowances. Abort conditions count, because they can cut a run short.
    private func hexadecimalHash(_ form: CanonicalForm) -> String {
        var form = form
        form.add("", fieldsOf: self)
        return Digest.hexadecimal(Digest.sha256(of: Array(form.lines.joined(separator: "\n").utf8)))
    }
}

/// Requests that may count as billable ad impressions.
///
/// Google's media verification pings do ("Media verification" in the pod-serving guide), and every fetched ad segment where
/// MediaTailor reports from the server ("Server-side reporting" in its guide).
package enum ImpressionPlan: Sendable, Equatable {
    case allowed, withheld
    /// Pings and beacons go to this server; ad segments are withheld.
    case sink(String)

    package var addresses: [String] { if case .sink(let server) = self { [server] } else { [] } }

    /// Path and query stay; nil where the request is withheld.
    package func address(of url: String) -> String? {
        switch self {
        case .allowed: url
        case .withheld: nil
        case .sink(let server): WebAddress(url).map { server + $0.rest }
        }
    }
}
