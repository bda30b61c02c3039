package import ArgumentParser
import Foundation
package import Profile
import Results
import Rules
import Swarm
import Transport
package import Values

package struct ResultOptions: ParsableArguments {
    @Option(name: .customLong("label"), help: "A label kept in the result, such as release=1.4.2; may be repeated.")
    package var labels: [String] = []

    @Option(help: "Folder that results are written to.")
    package var results = "results"

    @Flag(help: "Print nothing but errors and the path of the result.")
    package var quiet = false

    @Flag(help: "Write no page beside the result.")
    package var noReport = false

    @Flag(help: "Do not verify TLS certificates; the result says so.")
    package var insecure = false

    package init() {}

    package var overrides: [String] { insecure ? ["connection.insecure=true"] : [] }
}

package struct RunOptions: ParsableArguments {
    @OptionGroup package var result: ResultOptions

    @Option("duration", "Length of the windows that the result divides the run into, such as 1m.")
    package var window: String?

    @Option("duration", "The first part of the run, such as 2m, that is kept apart and judged by nothing.")
    package var warmUp: String?

    @Option("file", "Append one line of JSON to this file for each second that is over; - is standard output.")
    package var intervals: String?

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Also write the result in another format, such as junit=junit.xml; may be repeated; - is standard output.",
            discussion: "The formats are those of `podswarm result export`.",
            valueName: "format=file"
        )
    )
    package var outputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep the exchanges of these viewers, or those with these findings, in the result, such as 44 or 3-7,pod_mismatch.",
            discussion: """
                Headers, times and the first 2 KiB of playlists, without secrets; the first \(ExchangeLedger.most) exchanges \
                of at most \(ExchangeLedger.mostBytes >> 20) MiB together, and the result says how many more there were.
                """,
            valueName: "viewers|findings"
        )
    )
    package var exchange: String?

    @Option("file", "Also write the exchanges that the result keeps as HAR 1.2, as --output har=FILE does.")
    package var har: String?

    @Option("file", "Keep what the embedded origin counted itself, such as whom each planned fault touched.")
    package var originTruth: String?

    @Option(
        "url",
        "When the result is written, post the run there as `podswarm results --json` lists it, signed with the key in "
            + "\(EndNotice.keyVariable)."
    )
    package var onEnd: String?

    @OptionGroup(title: "Virtual time") package var virtual: VirtualOptions

    @OptionGroup package var live: LiveOptions

    @OptionGroup(title: "Many machines") package var sharding: ShardOptions

    @Flag(help: "Leave the journal beside the result when the run is over.")
    package var keepJournal = false

    package init() {}

    /// Come before the user's.
    package var overrides: [String] {
        result.overrides
            + (window.map { ["--window=\($0)"] } ?? [])
            + (warmUp.map { ["--warm-up=\($0)"] } ?? [])
    }

    /// Throws `CommandFailure` for malformed labels or outputs, and for files or pages that cannot be opened.
    package func session(of plan: LoadPlan, profile: ProfileOptions, judgesDrift: Bool) async throws -> RunSession {
        if let har { try OutputPlace.checkFolder(of: har, for: "--har \(har)") }
        let exports = try (outputs + (har.map { ["har=\($0)"] } ?? [])).map { try ExportTarget(parsing: $0) }
        guard onEnd == nil || !sharding.isUsed else {
            throw CommandFailure("--on-end: one shard does not know the end of a run; post the merged result")
        }
        let onEnd = try self.onEnd.map(EndNotice.init)
        if let originTruth { try OutputPlace.checkFolder(of: originTruth, for: "--origin-truth \(originTruth)") }
        let takesOutput = [intervals, originTruth].contains("-") || exports.contains(where: \.isStandardOutput)
        var session = RunSession(
            plan: plan,
            profileFolder: profile.folder,
            labels: try RunLabels.parse(result.labels),
            store: ResultStore(folder: URL(fileURLWithPath: result.results)),
            output: RunOutput(quiet: result.quiet, keepsOutputClear: takesOutput)
        )
        session.clock = try virtual.clock(
            of: plan,
            without: [
                (sharding.isUsed, "--shard, --rendezvous, --run-id and --merge"), (live.metrics != nil, "--metrics"),
                (live.dashboard != nil, "--dashboard"),
            ]
        )
        if let exchange { session.exchanges = try ExchangesAsked(parsing: exchange, of: plan.audience.viewers) }
        session.judgesDrift = judgesDrift
        session.writesReport = !result.noReport
        session.exports = exports
        session.onEnd = onEnd
        session.shard = try await sharding.enrolment()
        // The merge of shards reads the journal.
        session.keepsJournal = keepJournal || session.shard != nil
        session.originTruthFile = originTruth
        session.lines = try intervals.map { try IntervalLines(path: $0, waits: session.clock.waitsForWriting) }
        session.live = try await live.open(session.output)
        return session
    }
}

extension ExchangesAsked {
    /// Numbers and ranges of viewers and codes of findings; throws with the nearest code, or where no viewer has the number.
    init(parsing text: String, of count: Int) throws(CommandFailure) {
        self.init()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            if bounds.count < 3, let first = bounds.first ?? nil, let last = bounds.last ?? nil, first <= last {
                guard first < count else {
                    throw CommandFailure("--exchange \(part): the viewers of this profile are 0 to \(count - 1)")
                }
                viewers.append(first...last)
            } else if FindingCode(name: String(part)) != nil {
                codes.insert(String(part))
            } else {
                let nearest = NearestName.slip(String(part), among: FindingCode.allCases.map(\.code))
                throw CommandFailure(
                    "--exchange \(part): neither a viewer, such as 44, nor viewers, such as 3-7, nor a finding"
                        + (nearest.map { "; did you mean \($0)?" } ?? ", all of which podswarm explain lists")
                )
            }
        }
    }
}

extension CommandConfiguration {
    /// Takes the texts of `words`, such as `profile list`, of which the last is the name; `listing` is put before the help.
    package init(
        _ words: String,
        listing: String? = nil,
        version: String = "",
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let text = CommandText.of(words)
        self.init(
            commandName: words.split(separator: " ").last.map(String.init),
            abstract: text.abstract,
            discussion: [listing, text.discussion].compactMap(\.self).joined(separator: "\n\n"),
            version: version,
            subcommands: subcommands,
            defaultSubcommand: defaultSubcommand
        )
    }
}

extension ArgumentHelp {
    package static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

/// Options by the name of their value and their help.
extension Option {
    package init<Given: ExpressibleByArgument>(_ value: String, _ help: String, name: NameSpecification = .long)
    where Value == Given? { self.init(name: name, help: .value(value, help)) }

    package init(wrappedValue: Value, _ value: String, _ help: String, name: NameSpecification = .long)
    where Value: ExpressibleByArgument { self.init(wrappedValue: wrappedValue, name: name, help: .value(value, help)) }

    package init<Given: ExpressibleByArgument>(
        wrappedValue: [Given],
        _ value: String,
        _ help: String,
        name: NameSpecification = .long
    ) where Value == [Given] { self.init(wrappedValue: wrappedValue, name: name, help: .value(value, help)) }
}

package struct LiveOptions: ParsableArguments {
    @Option(
        help: """
            Serve the run's figures to Prometheus at HOST:PORT, such as 127.0.0.1:9464; port 0 takes a free one, and the \
            URL is said on standard error.
            """
    )
    package var metrics: String?

    @Option(
        "host:port",
        "Serve a page that shows the run as it goes at HOST:PORT; this may be the address of --metrics."
    )
    package var dashboard: String?

    @Option("duration", "After the end, keep serving up to this long, for open pages and a last scrape.")
    package var linger = "15s"

    package init() {}

    /// Throws `CommandFailure` before any request is sent.
    package func open(_ output: RunOutput) async throws -> LiveServer? {
        let metrics = try self.metrics.map { try ListeningAddress($0, of: "--metrics") }
        let dashboard = try self.dashboard.map { try ListeningAddress($0, of: "--dashboard") }
        guard let linger = Duration(text: self.linger) else {
            throw CommandFailure("--linger \(self.linger): a duration has a unit, such as 15s or 1m")
        }
        guard metrics != nil || dashboard != nil else { return nil }
        for address in Set([metrics, dashboard].compactMap(\.self)) { address.warnIfOpen() }
        let server: LiveServer
        do {
            server = try await LiveServer(metrics: metrics, dashboard: dashboard, patience: linger)
        } catch let error as CannotListen {
            let option = error.address == metrics ? "--metrics" : "--dashboard"
            throw CommandFailure("\(option) \(error.address): \(error.reason)")
        }
        for (name, url, port) in [
            ("Dashboard", server.dashboardURL, dashboard?.port), ("Metrics", server.metricsURL, metrics?.port),
        ] {
            guard let url else { continue }
            // The user does not know a free port yet.
            port == 0 ? RunOutput.writeError("\(name): \(url)\n") : output.note("\(name): \(url)")
        }
        return server
    }
}

extension ListeningAddress {
    package init(_ text: String, of option: String) throws(CommandFailure) {
        self = try CommandFailure.telling("\(option): ") { try ListeningAddress(parsing: text) }
    }

    /// `--quiet` does not suppress it.
    package func warnIfOpen() {
        guard !isLoopback else { return }
        RunOutput.writeError("Others can look on: \(self) is open to the network, without a password.\n")
    }
}

package enum RunLabels {
    /// Runs of a search are not runs of the unchanged profile.
    package static let capacity = "capacity"

    /// `name=value`; throws `CommandFailure` for invalid and repeated ones.
    package static func parse(_ labels: [String]) throws(CommandFailure) -> [String: String] {
        var parsed: [String: String] = [:]
        for label in labels {
            let parts = label.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandFailure("--label \(label): a label is name=value, such as release=1.4.2")
            }
            guard parsed.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw CommandFailure("--label \(parts[0]) is given twice")
            }
        }
        return parsed
    }
}

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
                throw CommandFailure("\(name) needs --virtual-time")
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
            throw CommandFailure("--virtual-time does not go with \(first.name)")
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
                    "\(option) \(field): fields such as latency=20ms (also jitter, stall), lost=0.1% (also stalled, reset, "
                        + "refused), podsPerSecond=250"
                )
            }
        }
        guard lost + reset + refused <= 1 else {
            throw CommandFailure("\(option) \(text): lost, reset and refused are more than 100% together")
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
            throw CommandFailure("\(option): no breaks of this profile are called for (breaks.source.trigger)")
        }
        let listed = text.split(separator: ",", omittingEmptySubsequences: false).map { Duration(text: $0) }
        guard listed.allSatisfy({ $0.map { (Duration.zero..<duration).contains($0) } ?? false }) else {
            throw CommandFailure("\(option) \(text): durations within the run of \(duration.text), such as 30s,90s")
        }
        return listed.compactMap(\.self)
    }
}

extension WallTime {
    package init(_ text: String, option: String) throws(CommandFailure) {
        guard let instant = WallTime(iso8601: text) else {
            throw CommandFailure("\(option) \(text): an instant is written as 2026-11-23T20:00:00Z")
        }
        self = instant
    }
}
