import AdServing
import Foundation
import Glibc
package import Profile
import Values
import Viewer

/// Checks before the first connection that this machine can run the plan.
package struct Preflight: Sendable {
    /// Injected so that the rules can be tested anywhere.
    package struct Limits: Sendable, Equatable {
        package var hardDescriptors: Int
        /// For one pair of source and destination.
        package var ports: Int
        /// nil without a limit.
        package var addressSpaceBytes: Int?

        package init(hardDescriptors: Int, ports: Int, addressSpaceBytes: Int? = nil) {
            (self.hardDescriptors, self.ports, self.addressSpaceBytes) = (hardDescriptors, ports, addressSpaceBytes)
        }

        /// RLIMIT_NOFILE, RLIMIT_AS and net.ipv4.ip_local_port_range.
        package static func ofThisMachine() -> Limits {
            Limits(
                hardDescriptors: limit(RLIMIT_NOFILE).map { Int(clamping: $0.rlim_max) } ?? 1024,
                ports: portRange(),
                addressSpaceBytes: limit(RLIMIT_AS).flatMap { Int(exactly: $0.rlim_cur) }
            )
        }

        private static func limit(_ resource: __rlimit_resource) -> rlimit? {
            var limit = rlimit()
            return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit : nil
        }

        private static func portRange() -> Int {
            let fallback = 28_232
            let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
            let bounds = text?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } ?? []
            return bounds.count == 2 && bounds[1] >= bounds[0] ? bounds[1] - bounds[0] + 1 : fallback
        }
    }

    /// Loops, files, standard streams.
    package static let ownDescriptors = 128

    /// For one shard.
    package static let mostLoopbackSources = 254

    private let need: ConnectionNeed
    private let limits: Limits

    package init(_ need: ConnectionNeed, _ limits: Limits) { (self.need, self.limits) = (need, limits) }

    package init(_ plan: LoadPlan, _ limits: Limits, _ stripe: AudienceStripe = .whole) {
        self.init(ConnectionNeed(plan, stripe), limits)
    }

    /// Reasons, with remedies, why the plan does not fit with one connection of each viewer to each server.
    package var problems: [String] { [descriptorProblem, portProblem, addressSpaceProblem].compactMap(\.self) }

    /// Limits that only second connections of viewers exceed, with remedies; the target decides whether they open.
    package var warnings: [String] {
        [descriptorProblem == nil ? descriptorWarning : nil, portWarning].compactMap(\.self)
    }

    /// On loopback, where the profile names none and one would be too few; empty where the kernel chooses.
    ///
    /// Each shard has its own.
    package var loopbackSources: [String] {
        let (count, stripe) = (need.sources(of: limits.ports), need.stripe)
        guard need.plan.connection.sourceAddresses.isEmpty, need.isOnLoopback, count > 1 || stripe != .whole else {
            return []
        }
        let (high, low) = (64 + stripe.index / 256 % 64, stripe.index % 256)
        return (1...min(max(count, 1), Self.mostLoopbackSources)).map { "127.\(high).\(low).\($0)" }
    }

    /// A reason why requests may leave late although the ports suffice; nil where no address is used past half.
    package var portSearch: String? {
        let addresses = need.sources(of: limits.ports)
        guard addresses > need.sources else { return nil }
        return
            "up to \(need.mostToOneServer * need.sharing) connections to one server from \(need.sourcesText) are more than "
            + "half of the \(limits.ports) ephemeral ports, past which the kernel searches long for a free one: "
            + addressRemedy(addresses)
    }

    private var descriptorProblem: String? {
        let least = need.least + Self.ownDescriptors
        guard least > limits.hardDescriptors else { return nil }
        let usual = need.usual + Self.ownDescriptors
        let fitting = max(limits.hardDescriptors - Self.ownDescriptors, 0) / need.servers.count
        return "\(need.viewersText("need")) at least \(least) file descriptors, for a connection each to "
            + "\(need.serverNames), and the hard limit is \(limits.hardDescriptors): raise it (ulimit -Hn \(usual), or "
            + "LimitNOFILE=\(usual) in systemd), or \(need.remedy(fitting: fitting))"
    }

    /// Needed by a process with Swift, Dispatch and OpenSSL before its first viewer.
    private static let leastAddressSpace = 768 << 20
    /// The loop's stack, and its malloc arena.
    private static let addressSpaceOfLoop = 64 << 20
    private static let addressSpaceOfViewer = 64 << 10

    /// Neither Swift nor Dispatch survives refused memory.
    private var addressSpaceProblem: String? {
        guard let bytes = limits.addressSpaceBytes else { return nil }
        let loops = need.plan.generator.loops ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let least = Self.leastAddressSpace + Self.addressSpaceOfLoop * loops + Self.addressSpaceOfViewer * need.viewers
        guard bytes < least else { return nil }
        return "this run needs about \(least >> 20) MiB of address space and \(bytes >> 20) MiB are allowed: raise the "
            + "limit (ulimit -v \(least >> 10), or LimitAS=\(least >> 20)M in systemd), or bound memory by MemoryMax "
            + "instead, which counts only what is used"
    }

    private var descriptorWarning: String? {
        let usual = need.usual + Self.ownDescriptors
        guard usual > limits.hardDescriptors else { return nil }
        return
            "\(need.viewersText("fit")) into \(limits.hardDescriptors) file descriptors with one connection each to "
            + "\(need.serverNames), and not with a second where requests coincide (to \(need.crowdedNames)): raise the "
            + "hard limit (ulimit -Hn \(usual), or LimitNOFILE=\(usual) in systemd), or use protocol http2; requests that "
            + "find no descriptor are dropped starts"
    }

    package var portProblem: String? {
        guard need.viewers * need.sharing > limits.ports * need.sources else { return nil }
        let others = need.sharing == 1 ? "" : " and of the \(need.sharing - 1) other shards on this machine"
        let connections =
            need.stripe == .whole
            ? GroupedDigits.counted(need.viewers, "connection") : "the connections of \(need.viewersText())\(others)"
        return "\(connections) to one server need more than the \(limits.ports) ephemeral ports of "
            + "\(need.sourcesText): \(portRemedy)"
    }

    package var portWarning: String? {
        guard portProblem == nil else { return nil }
        let most = need.mostToOneServer * need.sharing
        guard most > limits.ports * need.sources, need.mostToOneServer > need.viewers else { return portSearch }
        return "\(need.viewersText("fit")) into the \(limits.ports) ephemeral ports of \(need.sourcesText) with one "
            + "connection each, and not with a second where requests coincide (to \(need.crowdedNames)): "
            + "\(portRemedy)"
    }

    private func addressRemedy(_ addresses: Int) -> String {
        "give connection.sourceAddresses at least \(addresses) addresses of this machine (on loopback 127.0.0.2 and on "
            + "are there already)"
    }

    private var portRemedy: String {
        let text = "\(addressRemedy(need.sources(of: limits.ports))), or widen net.ipv4.ip_local_port_range"
        guard need.stripe != .whole else { return text }
        return "\(text), or \(need.remedy(fitting: limits.ports * need.sources / need.sharing))"
    }
}

/// The connections that viewers of a plan open, without hosts that only playlists name, such as a CDN's.
package struct ConnectionNeed {
    struct Server {
        var name: String
        /// Requests of one viewer coincide here: over HTTP/1.1 it opens a second connection.
        var isCrowded: Bool

        /// Addressed by IP.
        static let embedded = Server(name: "the embedded origin", isCrowded: true)

        var isOnLoopback: Bool { self.name == Self.embedded.name || ConnectionNeed.isLoopback(name) }
    }

    let plan: LoadPlan
    let stripe: AudienceStripe
    /// Shards on this machine that connect from the same addresses, with this one.
    let sharing: Int
    /// The greatest number at one time.
    package let viewers: Int

    package init(_ plan: LoadPlan, _ stripe: AudienceStripe = .whole, sharing: Int = 1) {
        (self.plan, self.stripe, self.sharing) = (plan, stripe, max(sharing, 1))
        // A curve picks leaving viewers by chance; the time of the start hardly changes how many.
        viewers =
            plan.audience.curve == nil
            ? stripe.share(of: plan.audience.viewers)
            : stripe.part(of: AudienceSchedule(plan, runStart: WallTime(microseconds: 0))).most
    }

    var servers: [Server] {
        switch plan.target {
        case .embedded: [.embedded]
        case .podServing(let target): servers(of: target)
        // Playlists and asset lists are requested at once.
        case .mediaTailor(let plan): servers(at: [plan.server])
        case .eyevinnProxy(let plan): servers(at: [plan.master])
        case .urlTemplates(let plan):
            servers(at: [plan.target.content, plan.target.session?.url, plan.target.pod].compactMap(\.self))
        }
    }

    private func servers(at urls: [String]) -> [Server] {
        var names: [String] = []
        for url in urls {
            let name = WebOrigin(of: String(url.prefix { $0 != "{" }))?.description ?? url
            if !names.contains(name) { names.append(name) }
        }
        return names.map { Server(name: $0, isCrowded: true) }
    }

    private func servers(of target: PodServingPlan) -> [Server] {
        var servers = servers(at: [target.contentURL, target.adServer])
        // At one server, registration and the first playlist coincide at the join.
        guard servers.count > 1 else { return servers }
        let playback = plan.playback
        servers[0].isCrowded = playback.segments.includesContent
        servers[1].isCrowded = playback.pollsMetadata || playback.sendsVerificationPings || plan.pods.repeatShare > 0
        return servers
    }

    package var isSecure: Bool {
        if case .embedded(let origin) = plan.target { return origin.usesTLS }
        return servers.contains { $0.name.hasPrefix("https:") }
    }

    /// With hosts that answers may lead to; names may be IPv6 addresses as well.
    package var isOnLoopback: Bool {
        servers.allSatisfy(\.isOnLoopback)
            && (plan.target.authorisedHosts + [plan.connection.proxy?.host].compactMap(\.self))
                .allSatisfy { Self.isLoopback("http://\($0)") }
    }

    private static func isLoopback(_ url: String) -> Bool {
        WebOrigin(of: url).map { $0.isLoopback && $0.host.hasPrefix("127.") } ?? false
    }

    private var crowded: [Server] { plan.connection.version == .http2 ? [] : servers.filter(\.isCrowded) }

    /// The kernel's choice counts as one.
    var sources: Int { max(plan.connection.sourceAddresses.count, 1) }

    package var least: Int { viewers * servers.count }
    /// A second connection where requests coincide.
    package var usual: Int { least + viewers * crowded.count }
    /// A proxy is the one server of all connections.
    package var mostToOneServer: Int { plan.connection.proxy != nil ? usual : crowded.isEmpty ? viewers : viewers * 2 }

    /// Keeps the connections to one server within half of each address's ephemeral ports.
    ///
    /// Linux first tries ports of one parity: past half of the range each connect first skips all that are taken
    /// (net/ipv4/inet_hashtables.c, `__inet_hash_connect`).
    package func sources(of ports: Int) -> Int {
        let half = max(ports / 2, 1)
        return (mostToOneServer * sharing + half - 1) / half
    }

    var serverNames: String { servers.map(\.name).joined(separator: " and ") }
    var crowdedNames: String { crowded.map(\.name).joined(separator: " and ") }
    func viewersText(_ verb: String? = nil) -> String {
        let counted = GroupedDigits.counted(viewers, "viewer")
        let who = stripe == .whole ? counted : "the \(counted) of shard \(stripe.index) of \(stripe.count)"
        return who + (verb.map { " \($0)\(viewers == 1 ? "s" : "")" } ?? "")
    }
    func remedy(fitting: Int) -> String {
        guard fitting > 0 else { return "run on another machine" }
        guard stripe != .whole else { return "run with --viewers \(fitting)" }
        let (shards, rest) = plan.audience.viewers.quotientAndRemainder(dividingBy: fitting)
        return "divide the audience over at least \(shards + rest.signum()) shards"
    }
    var sourcesText: String { "\(sources) source address\(sources == 1 ? "" : "es")" }
}
