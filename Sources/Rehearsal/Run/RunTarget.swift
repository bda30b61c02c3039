import AdServing
package import Foundation
import Origin
package import Profile
package import Results
import Rules
package import Swarm
package import Transport
package import Values
package import Viewer

/// The target of a run: the embedded origin it starts, or an existing one.
package final class RunTarget: Sendable {
    /// Includes the certificate of an embedded origin.
    package let plan: LoadPlan
    package let endpoints: TargetEndpoints
    package let authorisedHosts: AuthorisedHosts
    /// Clock of the run and of its embedded origin, read once: a step of this machine's moves neither.
    let clock: Timebase
    private let origin: EmbeddedOriginProcess?
    /// In virtual time, the embedded origin, or one that replaces another target.
    private let virtual: VirtualOrigin?

    package init(_ plan: LoadPlan, profileFolder: URL, clock time: RunClock = .machine) throws {
        if case .virtual(let start, let network, _, let clock) = time {
            let virtual = try CommandFailure.telling("the embedded origin: ") {
                try VirtualOrigin(plan, profileFolder: profileFolder, from: start, on: clock, over: network)
            }
            (self.plan, endpoints, self.clock) = (virtual.plan, virtual.endpoints, virtual.timebase)
            (origin, self.virtual) = (nil, virtual)
            authorisedHosts = Self.authorisedHosts(of: virtual.plan, own: [OriginLayout.virtualBase])
            return
        }
        virtual = nil
        let now = ClockReading.now()
        clock = Timebase(start: now.monotonic, wallStart: WallTime(microseconds: now.wall))
        switch plan.target {
        case .embedded(let embedded):
            var settings = OriginConfiguration(embedded, of: plan, profileFolder: profileFolder)
            settings.wallClockAhead = Duration.microseconds(now.wall) - .nanoseconds(now.monotonic.nanoseconds)
            guard EmbeddedOriginProcess.isReachable else {
                throw CommandFailure("the embedded origin needs the loopback device: ip link set lo up")
            }
            let origin = try CommandFailure.telling("the embedded origin cannot be started: ", as: .ownDefect) {
                try EmbeddedOriginProcess(settings)
            }
            var adjusted = plan
            adjusted.connection.caFile = origin.certificate ?? plan.connection.caFile
            (self.plan, self.origin) = (adjusted, origin)
            endpoints = TargetEndpoints(embedded, at: origin.url)
        case .podServing, .mediaTailor, .eyevinnProxy, .urlTemplates:
            (self.plan, self.origin) = (plan, nil)
            endpoints = try Self.endpoints(of: plan)
        }
        authorisedHosts = Self.authorisedHosts(of: plan, own: origin.map { [$0.url] } ?? plan.target.addresses)
    }

    private static func authorisedHosts(of plan: LoadPlan, own: [String]) -> AuthorisedHosts {
        AuthorisedHosts(
            plan.target.authorisedHosts,
            of: own + plan.impressions.addresses,
            headersAlsoTo: plan.connection.headerHosts
        )
    }

    /// Starts after `time`; in virtual time, at the clock's start.
    package func timebase(startingIn time: Duration) -> Timebase {
        guard virtual == nil else { return clock }
        let start = MonotonicClock.now().later(by: time)
        return Timebase(start: start, wallStart: clock.wall(at: start))
    }

    /// Call once for each run.
    package var place: SwarmPlace { virtual?.place(authorised: authorisedHosts) ?? .machine }

    private static func endpoints(of plan: LoadPlan) throws -> TargetEndpoints {
        if case .podServing(let target) = plan.target {
            return TargetEndpoints(
                contentURL: target.contentURL,
                adServers: [target.adServer] + (target.backupAdServer.map { [$0] } ?? []),
                session: target.session,
                identifiesViewers: false
            )
        }
        guard let templates = plan.target.templates else {
            throw CommandFailure("the target of this profile cannot be asked", as: .ownDefect)
        }
        let first = AudienceTraits(plan.audience, seed: plan.seed).identity(ofViewer: 0)
        return TargetEndpoints(
            contentURL: templates.contentURL(of: first, streamID: nil) ?? templates.sessionRequest(of: first)?.url
                ?? "",
            adServers: [],
            session: .usual,
            identifiesViewers: false,
            templates: templates
        )
    }

    package var isEmbedded: Bool { origin != nil || virtual != nil }

    var originProcess: Int32? { origin.flatMap { $0.isRunning ? $0.processIdentifier : nil } }

    var originFailure: String? { origin?.failure }

    /// Redacted, for results.
    package var name: String { isEmbedded ? "embedded" : Redaction.url(endpoints.contentURL, own: nil) }

    package static func name(of plan: LoadPlan) -> String {
        guard !plan.target.isEmbedded else { return "embedded" }
        return (try? endpoints(of: plan)).map { Redaction.url($0.contentURL, own: nil) } ?? "unknown"
    }

    package func stop() { origin?.stop() }

    /// Throws where a run would be useless.
    package func checkReachable() async throws {
        guard virtual == nil else { return }
        let first = AudienceTraits(plan.audience, seed: plan.seed).identity(ofViewer: 0)
        let url = origin.map { $0.url + OriginLayout.healthPath } ?? first.filled(url: endpoints.contentURL)
        func unreachable(_ predicate: String) -> CommandFailure {
            CommandFailure("\(Redaction.url(url, own: nil)) \(predicate)", as: .unreachable)
        }
        // A target may answer only requests with a viewer's headers.
        let headers = isEmbedded ? [:] : plan.connection.headers.mapValues { first.filled($0) }
        let answer = try await SingleFetch.get(
            url,
            // Headers with a session's id are empty here.
            headers: headers.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) },
            connection: plan.connection,
            authorisedHosts: authorisedHosts
        )
        if answer.failure == .unauthorisedHost, let next = answer.headers["location"],
            let host = RequestTarget.resolve(next, against: answer.url).flatMap({
                RequestTarget(url: $0)?.hostInProfile
            })
        {
            let remedy = plan.target.authorisedHostsField.map { "; to allow it, add the host to \($0)" } ?? ""
            throw unreachable("redirects to \(host), which the profile does not authorise\(remedy)")
        }
        if let failure = answer.failureCode {
            // A server of HTTP/1.1 closes the connection, or answers without a frame (RFC 9113 section 3.3).
            let isByPriorKnowledge = plan.connection.version == .http2 && url.hasPrefix("http://")
            let places: [String?] = [
                "the URL", answer.failure == .connectRefused ? "whether a server listens there" : "the network",
                isByPriorKnowledge ? "connection.protocol, which asks for HTTP/2 from the first byte" : nil,
                plan.connection.proxy.map { "connection.proxy, which is \($0)" },
                answer.failure == .protocolError ? "whether it answers in HTTP, with headers of 64 KiB at most" : nil,
                answer.failure == .tls ? "connection.clientCertificate if the server asks for one" : nil,
                answer.failure == .tls ? "connection.caFile for a private authority" : nil,
            ]
            throw unreachable(
                "cannot be reached (\(failure)); check " + places.compactMap(\.self).joined(separator: ", ")
            )
        }
        // If the channel needs a session, any answer shows that the server is there.
        guard (200..<300).contains(answer.status) || endpoints.templates?.contentNeedsSession == true else {
            let redirect = (300..<400).contains(answer.status) ? " and no Location that leads on" : ""
            throw unreachable("answers with status \(answer.status)\(redirect); a run needs a live playlist there")
        }
    }

    /// Addresses that the first look-up leaves out.
    var nameNote: String? {
        guard virtual == nil, let host = RequestTarget(url: endpoints.contentURL)?.host else { return nil }
        let names = NameTable.shared(servers: plan.connection.nameServers, timeToLive: plan.connection.nameTimeToLive)
        let leftOut = names.leftOut(of: host)
        guard leftOut > 0 else { return nil }
        let most = NameTable.mostAddresses
        return "\(host) has \(leftOut) more addresses than the \(most) of each family that viewers use."
    }

    /// Keyed by kind name; nil where the kind is unknown.
    var requestsBesidesViewers: [String: Int]? {
        if isEmbedded { return [:] }
        guard case .podServing = plan.target else { return nil }
        return [RequestKind.multivariant.name: 1]
    }

    enum OwnCounts {
        case none
        case read(GroundTruth)
        case gone
        /// This machine has no port left for the request.
        case outOfPorts
        /// A defect of podswarm: the origin is there and its counts are not.
        case unreadable
    }

    func ownCounts(at end: WallTime) async -> OwnCounts {
        if let virtual { return .read(virtual.service.truth(at: end)) }
        guard let origin else { return .none }
        guard origin.isRunning else { return .gone }
        var connection = plan.connection
        // This answer must arrive whatever the profile's limits.
        connection.connectTimeout = .seconds(30)
        connection.firstByteTimeout = .seconds(60)
        connection.totalTimeout = .seconds(120)
        connection.maximumBodyBytes = 1 << 30
        // Nor does the profile's proxy concern it.
        connection.proxy = nil
        let url = origin.url + OriginLayout.truthPath
        var answer = try? await SingleFetch.get(url, connection: connection, authorisedHosts: authorisedHosts)
        if answer?.failure == .localResources {
            // Viewers may have used up the ports of the profile's addresses.
            connection.sourceAddresses = [Self.spareAddress]
            answer = try? await SingleFetch.get(url, connection: connection, authorisedHosts: authorisedHosts)
        }
        guard let answer, answer.failure == nil, let truth = try? GroundTruth(json: Data(answer.body)) else {
            guard origin.isRunning else { return .gone }
            return answer?.failure == .localResources ? .outOfPorts : .unreadable
        }
        return .read(truth)
    }

    /// Loopback (RFC 6890), unlikely in any profile.
    private static let spareAddress = "127.77.7.7"
}

/// Clock of a run, and the machine's facts in its result.
package enum RunClock: Sendable {
    case machine
    /// Jumps from event to event, with the embedded origin in this process: equal plans with an equal clock give equal results.
    ///
    /// `calls` are starts of called breaks from the start of the run.
    case virtual(from: WallTime, over: VirtualNetwork, calls: [Duration] = [], on: VirtualClock = VirtualClock())

    package static let virtualHost = "virtual"

    private var virtual: (start: WallTime, network: VirtualNetwork, calls: [Duration])? {
        guard case .virtual(let start, let network, let calls, _) = self else { return nil }
        return (start, network, calls)
    }

    /// Nil where calls come from outside.
    var calls: [Duration]? { virtual?.calls }

    /// For the next run.
    package func going(on instant: WallTime) -> RunClock {
        virtual.map { .virtual(from: instant, over: $0.network, calls: $0.calls) } ?? .machine
    }

    /// In virtual time the next run begins later by itself.
    package func rest(for length: Duration, while goesOn: () -> Bool) async {
        guard virtual == nil else { return }
        let end = MonotonicClock.now().later(by: length)
        while goesOn(), MonotonicClock.now() < end { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// `run` is the duration in the result.
    package func time(of run: Duration, begunAt start: Instant) -> Duration {
        virtual == nil ? MonotonicClock.now().duration(since: start) : run
    }

    package var now: WallTime { virtual?.start ?? WallTime(microseconds: MonotonicClock.wallMicroseconds()) }

    var notes: [String] {
        guard let (_, network, calls) = virtual else { return [] }
        var notes = [
            "In virtual time: connections, TLS and versions of HTTP were not tried, and no figure says how fast the target, "
                + "the network or this machine is."
        ]
        if let fields = network.changedFields { notes.append("Virtual network: \(fields).") }
        if !calls.isEmpty { notes.append("Breaks were called for at \(calls.map(\.text).joined(separator: ", ")).") }
        return notes
    }

    package var limits: Preflight.Limits {
        guard virtual != nil else { return .ofThisMachine() }
        return Preflight.Limits(hardDescriptors: 1 << 20, ports: 1 << 15)
    }

    var cores: Int { virtual == nil ? ProcessInfo.processInfo.activeProcessorCount : 1 }

    /// Refuses a plan that is too much for this machine; returns warnings.
    func prepare(_ plan: LoadPlan, stripe: AudienceStripe) throws -> [String] {
        guard virtual == nil else { return [] }
        try limits.check(plan, stripe: stripe)
        return Preflight(plan, limits, stripe).warnings
    }

    func sources(of plan: LoadPlan, stripe: AudienceStripe) -> [String] {
        virtual == nil ? Preflight(plan, limits, stripe).loopbackSources : []
    }

    var disk: ResultDisk {
        var disk = ResultDisk.ofThisMachine
        // A virtual run that a power cut ends can be repeated.
        if virtual != nil { disk.sync = { _ in 0 } }
        return disk
    }

    /// Time stands still during a write.
    var waitsForWriting: Bool { virtual != nil }

    /// Virtual seconds are over before they are shown.
    var showsProgress: Bool { !waitsForWriting }

    package func host(sharedWithTarget: Bool) -> HostFacts {
        guard virtual != nil else { return .ofThisMachine(sharedWithTarget: sharedWithTarget) }
        var facts = HostFacts(name: Self.virtualHost)
        (facts.operatingSystem, facts.cpuCount) = ("virtual time", cores)
        (facts.descriptorLimit, facts.ephemeralPorts) = (limits.hardDescriptors, limits.ports)
        facts.sharedWithTarget = sharedWithTarget
        return facts
    }

    func usage() -> ProcessUsage {
        virtual == nil ? .now() : ProcessUsage(cpuMicroseconds: 0, residentBytes: 1 << 20, openDescriptors: 1)
    }

    func loadAverage() -> Double {
        var average = 0.0
        return virtual == nil && getloadavg(&average, 1) == 1 ? average : 0
    }

    func threads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        virtual == nil ? ThreadSchedule.ofThreads(of: process) : nil
    }

    func giveMemoryBack() { if virtual == nil { HeapMemory.giveBack() } }
}
