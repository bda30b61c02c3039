import AdServing
package import Profile
import Values
import Viewer

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

    /// The greatest number at one time.
    package let viewers: Int
    let stripe: AudienceStripe
    let audience: Int
    /// The kernel's choice counts as one.
    package let sources: Int
    /// Shards on this machine that connect from the same addresses, with this one.
    let sharing: Int
    let servers: [Server]

    package let isSecure: Bool
    /// Patterns of hosts that answers may lead to.
    private let authorisedHosts: [String]
    /// nil where viewers connect to the servers themselves.
    private let proxy: ProxyAddress?

    package init(_ plan: LoadPlan, _ stripe: AudienceStripe = .whole, sharing: Int = 1) {
        self.stripe = stripe
        self.sharing = max(sharing, 1)
        audience = plan.audience.viewers
        // A curve picks leaving viewers by chance; the time of the start hardly changes how many.
        viewers =
            plan.audience.curve == nil
            ? stripe.share(of: plan.audience.viewers)
            : stripe.part(of: AudienceSchedule(plan, runStart: WallTime(microseconds: 0))).most
        sources = max(plan.connection.sourceAddresses.count, 1)
        authorisedHosts = plan.target.authorisedHosts
        proxy = plan.connection.proxy
        let multiplexes = plan.connection.version == .http2
        servers = Self.servers(of: plan).map {
            Server(name: $0.name, isCrowded: $0.isCrowded && !multiplexes)
        }
        if case .embedded(let origin) = plan.target {
            isSecure = origin.usesTLS
        } else {
            isSecure = servers.contains { $0.name.hasPrefix("https:") }
        }
    }

    private static func servers(of plan: LoadPlan) -> [Server] {
        switch plan.target {
        case .embedded: return [.embedded]
        case .podServing(let target): return servers(of: target, plan)
        // Playlists and asset lists are requested at once.
        case .mediaTailor(let plan): return servers(at: [plan.target.server])
        case .eyevinnProxy(let plan): return servers(at: [plan.target.master])
        case .urlTemplates(let target):
            return servers(at: [target.content, target.session?.url, target.pod].compactMap { $0 })
        }
    }

    private static func servers(at urls: [String]) -> [Server] {
        var names: [String] = []
        for url in urls {
            let name = WebOrigin(of: String(url.prefix { $0 != "{" }))?.description ?? url
            if !names.contains(name) { names.append(name) }
        }
        return names.map { Server(name: $0, isCrowded: true) }
    }

    private static func servers(of target: PodServingPlan, _ plan: LoadPlan) -> [Server] {
        let content = WebOrigin(of: target.contentURL)
        let ads = WebOrigin(of: target.adServer)
        if content == ads {
            // Registration and the first playlist coincide at the join.
            return [Server(name: content?.description ?? target.contentURL, isCrowded: true)]
        }
        let fetchesContent = plan.playback.segments == .content || plan.playback.segments == .all
        return [
            Server(name: content?.description ?? target.contentURL, isCrowded: fetchesContent),
            Server(
                name: ads?.description ?? target.adServer,
                isCrowded: plan.playback.pollsMetadata || plan.playback.sendsVerificationPings
                    || plan.pods.repeatShare > 0
            ),
        ]
    }

    /// Names may be IPv6 addresses as well.
    package var isOnLoopback: Bool {
        servers.allSatisfy(\.isOnLoopback)
            && (authorisedHosts + [proxy?.host].compactMap(\.self)).allSatisfy { Self.isLoopback("http://\($0)") }
    }

    private static func isLoopback(_ url: String) -> Bool {
        WebOrigin(of: url).map { $0.isLoopback && $0.host.hasPrefix("127.") } ?? false
    }

    private var crowded: [Server] { servers.filter(\.isCrowded) }

    package var least: Int { viewers * servers.count }
    /// A second connection where requests coincide.
    package var usual: Int { least + viewers * crowded.count }
    /// A proxy is the one server of all connections.
    package var mostToOneServer: Int { proxy != nil ? usual : crowded.isEmpty ? viewers : viewers * 2 }

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
    var viewersText: String {
        stripe == .whole ? "\(viewers) viewers" : "the \(viewers) viewers of shard \(stripe.index) of \(stripe.count)"
    }
    func remedy(fitting: Int) -> String {
        guard fitting > 0 else { return "run on another machine" }
        guard stripe != .whole else { return "run with --viewers \(fitting)" }
        let shards = audience / fitting + (audience.isMultiple(of: fitting) ? 0 : 1)
        return "divide the audience over at least \(shards) shards"
    }
    var sourcesText: String { "\(sources) source address\(sources == 1 ? "" : "es")" }
}
