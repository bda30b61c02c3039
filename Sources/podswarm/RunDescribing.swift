import Foundation
import LoadProfile
import Measurement
import Swarm

extension RunDescription {
    /// What was run: the plan as asked, beside what came of it.
    init(_ plan: LoadPlan, labels: [String: String], target: RunTarget, outcome: RunOutcome) {
        let abortedBy: String? =
            if case .aborted(let condition) = outcome.end { condition } else { nil }
        let urls = [target.endpoints.contentURL] + target.endpoints.adServers
        let usesTLS = urls.contains { $0.lowercased().hasPrefix("https:") }
        self.init(
            profileName: plan.name,
            profileDigest: "sha256:\(plan.digest)",
            workloadDigest: "sha256:\(plan.workloadDigest)",
            seed: plan.seed,
            labels: labels,
            target: target.name,
            startedAtMicroseconds: outcome.startedAt,
            endedAtMicroseconds: outcome.endedAt,
            loops: outcome.loopCount,
            transports: Self.carriers(of: outcome.totals) + [plan.connection.version == .http1 ? "http/1.1" : "h2"]
                + (usesTLS ? ["tls"] : []),
            tlsVerified: plan.connection.verifiesTLS ? (usesTLS ? true : nil) : false,
            interrupted: outcome.end == .interrupted,
            abortedBy: abortedBy,
            versions: ["podswarm": PodswarmVersion.current, "libcurl": SingleFetch.libraryVersion],
            host: .ofThisMachine(sharedWithTarget: target.isEmbedded),
            asked: Self.asked(plan, outcome: outcome)
        )
    }

    /// What carried anything in this run.
    private static func carriers(of totals: RunTotals) -> [String] {
        Carrier.allCases.filter { carrier in
            RequestKind.allCases.contains { totals.carried(of: $0, by: carrier) > 0 }
        }.map { $0 == .curl ? "libcurl" : $0.name }
    }

    private static func asked(_ plan: LoadPlan, outcome: RunOutcome) -> [Asked] {
        let totals = outcome.totals
        return [
            Asked(
                name: "viewers",
                unit: "count",
                requested: Double(plan.audience.viewers),
                observed: Double(totals.count(of: .joined) - totals.count(of: .churned))
            ),
            Asked(
                name: "duration",
                unit: "s",
                requested: Double(plan.duration.nanosecondsHeld) / 1e9,
                observed: Double(outcome.endedAt - outcome.startedAt) / 1e6
            ),
            Asked(
                name: "churned_viewers",
                unit: "count",
                requested: nil,
                observed: Double(totals.count(of: .churned))
            ),
        ]
    }
}

extension HostFacts {
    /// Reads what the result says about this machine.
    static func ofThisMachine(sharedWithTarget: Bool) -> HostFacts {
        var names = utsname()
        uname(&names)
        let limits = Preflight.Limits.ofThisMachine()
        return HostFacts(
            operatingSystem: self.value(of: "PRETTY_NAME=", in: "/etc/os-release") ?? "Linux",
            kernel: self.text(&names.release),
            architecture: self.text(&names.machine),
            cpuModel: self.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown",
            cpuCount: ProcessInfo.processInfo.activeProcessorCount,
            memoryBytes: Int64(clamping: ProcessInfo.processInfo.physicalMemory),
            descriptorLimit: limits.hardDescriptors,
            ephemeralPorts: limits.ports,
            sharedWithTarget: sharedWithTarget
        )
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
