import Foundation
package import Profile
package import Results
import Rules
package import Swarm
import Transport
import Values
import Viewer

extension CollectorSettings {
    init(_ session: RunSession, _ target: RunTarget, _ swarm: SwarmRun, need: ConnectionNeed) {
        let (plan, clock) = (target.plan, session.clock)
        var budget = GeneratorBudget.standard
        budget.latenessP99Microseconds = plan.generator.maximumLateness.nanosecondsHeld / 1000
        budget.loopDelayMicroseconds = plan.generator.maximumLoopDelay.nanosecondsHeld / 1000
        budget.handlingP99Microseconds = plan.generator.maximumHandling.nanosecondsHeld / 1000
        budget.residentBytes = Int64(plan.generator.maximumResidentBytes)
        budget.coreWaitMicroseconds = plan.generator.maximumCoreWait.nanosecondsHeld / 1000
        budget.portSearch = Preflight(need, clock.limits).portSearch
        self.init(
            run: RunDescription(session, target, swarm),
            thresholds: Self.thresholds(of: plan),
            loopCores: min(swarm.loopCount, clock.cores),
            descriptorLimit: clock.limits.hardDescriptors,
            windowMilliseconds: plan.windows.length(forRunOf: plan.duration).millisecondsHeld,
            warmUpMilliseconds: (plan.windows.warmUp ?? .zero).millisecondsHeld
        )
        (allowedFindings, vendors, health.budget) = (plan.allowedFindings, plan.target.vendors, budget)
        judgesDrift = session.judgesDrift
        let personas = PersonaDescription.all(of: plan.audience.personas)
        self.personas = personas.isEmpty ? nil : personas
        reportedNames = plan.report.by.isEmpty ? nil : plan.reportedValues.map(ReportedName.init)
        announcementToleranceMicroseconds = plan.breaks.announcementTolerance.nanosecondsHeld / 1000
        plannedMicroseconds = plan.duration.nanosecondsHeld / 1000
        rehearsesBreaks = !plan.breaks.areNone
    }

    /// Playlists carry the ads where viewers request none: most playlist requests must be answered.
    private static func thresholds(of plan: LoadPlan) -> [ThresholdRule] {
        var rules = plan.thresholds
        if !plan.breaks.areNone { rules = rules.adding(default: .mostBreaksOnTime) }
        return plan.breaks.asksForNoAds ? rules.adding(default: .mostPlaylistsAnswered) : rules
    }
}

extension RunDescription {
    fileprivate init(_ session: RunSession, _ target: RunTarget, _ swarm: SwarmRun) {
        let plan = target.plan
        let urls = [target.endpoints.contentURL] + target.endpoints.adServers
        let usesTLS = urls.contains { $0.lowercased().hasPrefix("https:") }
        self.init(
            profile: plan.name,
            profileDigest: "sha256:\(plan.digest)",
            seed: plan.seed,
            target: target.name,
            startedAtMicroseconds: swarm.timebase.wallStart.microseconds,
            host: session.clock.host(sharedWithTarget: plan.target.isOnThisMachine)
        )
        (labels, loops, asked) = (session.labels, swarm.loopCount, Self.asked(plan, viewers: swarm.planned))
        (shard, audienceCurve) = (session.shard?.mark, PlannedAudience(swarm.course, of: plan))
        transports =
            [plan.connection.version.name] + (usesTLS ? ["tls"] : [])
            + (plan.connection.proxy.map { ["proxy \($0)"] } ?? [])
        tlsVerified = plan.connection.verifiesTLS ? (usesTLS ? true : nil) : false
        workloadDigest = "sha256:\(plan.workloadDigest)"
        versions = ["podswarm": PodswarmVersion.current, "libcurl": HTTPTransport.libraryVersion]
    }

    private static func asked(_ plan: LoadPlan, viewers: Int) -> [Asked] {
        let breaks = plan.breaks
        let times = [
            ("break_lead", breaks.lead), ("break_grace", breaks.grace), ("break_jitter", breaks.jitter),
            ("poll_slot", plan.generator.slot),
        ]
        let others: [(name: String, unit: String, requested: Double?)] = [
            (Asked.viewers, "count", Double(viewers)),
            (Asked.duration, "s", Double(plan.duration.nanosecondsHeld) / 1e9), (Asked.churnedViewers, "count", nil),
        ]
        return (others + times.map { ($0, "ms", Double($1.nanosecondsHeld) / 1e6) })
            .map { Asked(name: $0, unit: $1, requested: $2, observed: nil) }
    }
}

extension PlannedAudience {
    /// Nil where all viewers join and stay.
    init?(_ course: AudienceCourse?, of plan: LoadPlan) {
        guard let course, let curve = plan.audience.curve else { return nil }
        self.init(
            shape: curve.shape?.rawValue,
            stepMilliseconds: course.step.millisecondsHeld,
            viewers: course.viewers.map(Int64.init)
        )
    }
}

extension HostFacts {
    package static func ofThisMachine(sharedWithTarget: Bool) -> HostFacts {
        var names = utsname()
        uname(&names)
        let limits = Preflight.Limits.ofThisMachine()
        var facts = HostFacts(name: text(&names.nodename))
        facts.operatingSystem = value(of: "PRETTY_NAME=", in: "/etc/os-release") ?? "Linux"
        (facts.kernel, facts.architecture) = (text(&names.release), text(&names.machine))
        facts.cpuModel = value(of: "model name", in: "/proc/cpuinfo") ?? "unknown"
        facts.cpuCount = ProcessInfo.processInfo.activeProcessorCount
        facts.memoryBytes = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        (facts.descriptorLimit, facts.ephemeralPorts) = (limits.hardDescriptors, limits.ports)
        facts.sharedWithTarget = sharedWithTarget
        return facts
    }

    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func value(of key: String, in path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.dropFirst(key.count).trimmingCharacters(in: CharacterSet(charactersIn: " \t:\""))
    }
}

extension PersonaDescription {
    fileprivate static func all(of shares: [PersonaShare]) -> [PersonaDescription] {
        let sum = shares.reduce(0) { $0 + $1.share }
        return shares.map { part in
            PersonaDescription(
                name: part.persona.name,
                sharePercent: sum > 0 ? part.share / sum * 100 : 0,
                unconfirmed: part.persona.unconfirmed,
                deadlineMilliseconds: [
                    part.persona.requests.assetList.firstByte, part.persona.requests.assetList.total,
                ]
                .compactMap(\.self).min()?.millisecondsHeld
            )
        }
    }
}

extension LoadPlan {
    /// Told before the first request.
    package var notes: [String] { [impressionNote, proxyNote, unusedProxyNote].compactMap(\.self) }

    /// Nil where no impressions cost money.
    private var impressionNote: String? {
        switch (impressions, target) {
        case (.allowed, .embedded): nil
        case (.allowed, _): "Impressions are allowed: pings, beacons and segments of ads go to the target."
        case (.withheld, _):
            "Impressions are withheld: no ping, beacon or segment of an ad is sent. The profile may say impressions: allowed."
        case (.sink(let server), _): "Pings and beacons go to \(server); segments of ads are withheld."
        }
    }

    /// Nil without a proxy.
    package var proxyNote: String? {
        let past = connection.noProxy.isEmpty ? "" : ", but for the hosts of connection.noProxy"
        return connection.proxy.map { "Requests go through the proxy \($0)\(past)." }
    }

    /// For a proxy that the environment sets in vain; nil without one, and against a target on this machine.
    ///
    /// These are the variables that curl reads (https://curl.se/docs/manpage.html#ENVIRONMENT).
    private var unusedProxyNote: String? {
        let environment = ProcessInfo.processInfo.environment
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard connection.proxy == nil, !target.isOnThisMachine,
            let name = names.first(where: { environment[$0]?.isEmpty == false })
        else { return nil }
        return "\(name) of the environment is not used: connection.proxy of the profile names a proxy."
    }
}

extension Preflight.Limits {
    package func check(_ plan: LoadPlan, stripe: AudienceStripe = .whole) throws(CommandFailure) {
        let problems = Preflight(plan, self, stripe).problems
        guard problems.isEmpty else {
            throw CommandFailure(problems.map { "this machine: \($0)" }.joined(separator: "\n"))
        }
    }
}
