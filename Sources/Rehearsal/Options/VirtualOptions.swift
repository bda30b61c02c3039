package import ArgumentParser
import Foundation
package import Profile
import Swarm
package import Values

package struct VirtualOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Rehearse without waiting: in virtual time from this instant on, before the embedded origin in this process.",
            discussion: "Shows what a profile does, and nothing of how fast anything is.",
            valueName: "instant"
        )
    )
    package var virtualTime: String?

    @Option(
        help: ArgumentHelp(
            "The network of virtual time, such as latency=20ms,jitter=5ms,lost=0.1%.",
            discussion: """
                Every answer takes \(OriginLayout.answerTime.text), if left out. Fields: latency, jitter and stall are \
                durations; stalled, lost, reset and refused are shares of the answers; podsPerSecond is the number of pod \
                manifests that the ad server makes in a second, one after the other.
                """,
            valueName: "fields"
        )
    )
    package var virtualNetwork: String?

    @Option(
        help: ArgumentHelp(
            "When breaks are called for in virtual time, after the start of the run, such as 30s,90s.",
            discussion: "For profiles with breaks.source.trigger.",
            valueName: "durations"
        )
    )
    package var breaksAt: String?

    package init() {}

    /// `others` exclude virtual time; throws `CommandFailure` for those in use, and for options that need virtual time.
    package func clock(of plan: LoadPlan, without others: [(isUsed: Bool, name: String)] = []) throws -> RunClock {
        guard let virtualTime else {
            for (name, value) in [("--virtual-network", virtualNetwork), ("--breaks-at", breaksAt)] where value != nil {
                throw CommandFailure(.badInput, "\(name) needs --virtual-time")
            }
            return .machine
        }
        let start = try WallTime(virtualTime, option: "--virtual-time")
        let takesCalls = plan.breaks.source.triggerPlan != nil
        let excluded =
            others + [
                (!plan.target.isEmbedded, "a target other than target.embedded"),
                (!plan.impressions.addresses.isEmpty, "impressionSink"),
                (takesCalls && breaksAt == nil, "breaks.source.trigger without --breaks-at"),
            ]
        if let first = excluded.first(where: \.isUsed) {
            throw CommandFailure(.badInput, "--virtual-time does not go with \(first.name)")
        }
        let calls = try breaksAt.map { try plan.breakStarts($0, option: "--breaks-at") } ?? []
        var network = VirtualNetwork(latency: OriginLayout.answerTime, seed: plan.seed)
        if let virtualNetwork { try network.set(virtualNetwork, option: "--virtual-network") }
        return .virtual(from: start, over: network, calls: calls)
    }
}

extension VirtualNetwork {
    private static let durations: [String: any WritableKeyPath<VirtualNetwork, Duration> & Sendable] = [
        "latency": \.latency, "jitter": \.jitter, "stall": \.stall,
    ]
    private static let shares: [String: any WritableKeyPath<VirtualNetwork, Double> & Sendable] = [
        "stalled": \.stalled, "lost": \.lost, "reset": \.reset, "refused": \.refused,
    ]

    /// In the option's form; nil without any.
    var changedFields: String? {
        let usual = VirtualNetwork(latency: OriginLayout.answerTime)
        var fields = Self.durations.filter { self[keyPath: $0.value] != usual[keyPath: $0.value] }
            .mapValues { self[keyPath: $0].text }
        for (name, path) in Self.shares where self[keyPath: path] > 0 { fields[name] = "\(self[keyPath: path])" }
        if let podsPerSecond { fields["podsPerSecond"] = "\(podsPerSecond)" }
        guard !fields.isEmpty else { return nil }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }

    fileprivate mutating func set(_ text: String, option: String) throws(CommandFailure) {
        for field in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, set(parts[0], parts[1]) else {
                throw CommandFailure(
                    .badInput,
                    "\(option) \(field): fields such as latency=20ms (also jitter, stall), lost=0.1% (also stalled, reset, "
                        + "refused), podsPerSecond=250"
                )
            }
        }
        guard lost + reset + refused <= 1 else {
            throw CommandFailure(.badInput, "\(option) \(text): lost, reset and refused are more than 100% together")
        }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        if let path = Self.durations[name] {
            guard let duration = Duration(text: value) else { return false }
            self[keyPath: path] = duration
        } else if let path = Self.shares[name] {
            guard let share = ShareText.share(value), share <= 1 else { return false }
            self[keyPath: path] = share
        } else {
            guard name == "podsPerSecond", let rate = Double(value), (0.001...1e6).contains(rate) else { return false }
            podsPerSecond = rate
        }
        return true
    }
}

extension LoadPlan {
    /// Relative to the start of the run.
    package func breakStarts(_ text: String, option: String) throws(CommandFailure) -> [Duration] {
        guard breaks.source.triggerPlan != nil else {
            throw CommandFailure(
                .badInput,
                "\(option): no breaks of this profile are called for (breaks.source.trigger)"
            )
        }
        let listed = text.split(separator: ",", omittingEmptySubsequences: false).map { Duration(text: $0) }
        guard listed.allSatisfy({ $0.map { (Duration.zero..<duration).contains($0) } ?? false }) else {
            throw CommandFailure(
                .badInput,
                "\(option) \(text): durations within the run of \(duration.text), such as 30s,90s"
            )
        }
        return listed.compactMap(\.self)
    }
}

extension WallTime {
    package init(_ text: String, option: String) throws(CommandFailure) {
        guard let instant = WallTime(iso8601: text) else {
            throw CommandFailure(.badInput, "\(option) \(text): an instant is written as 2026-11-23T20:00:00Z")
        }
        self = instant
    }
}
