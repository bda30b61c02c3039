import AdServing
package import Foundation
package import Origin
package import Profile
import Swarm
import Transport
import Values
import Viewer

extension EmbeddedOriginPlan {
    /// Nil for pod serving.
    fileprivate func templates(at server: String) -> URLTemplateTarget? {
        switch shape {
        case .podServing: return nil
        case .mediaTailorImplicit, .mediaTailorExplicit, .mediaTailorStitched:
            var target = MediaTailorPlan.usual
            (target.server, target.asset, target.reporting) = (server, "podswarm/live/index.m3u8", reporting)
            target.session = shape == .mediaTailorImplicit ? .implicit : .explicit
            target.insertion = shape == .mediaTailorStitched ? .stitched : .guided
            return target.templates
        case .eyevinnProxy: return URLTemplateTarget(content: server + "/proxied" + OriginLayout.multivariantPath)
        case .urlTemplates:
            let templates = server + "/templates"
            return URLTemplateTarget(
                session: URLTemplateTarget.Session(url: templates + "/session", streamID: "/session/id"),
                content: templates + "/content/{stream_id}/index.m3u8",
                pod: templates + "/pod/{break}.m3u8?session={stream_id}&duration_ms={duration_ms}"
            )
        }
    }
}

extension TargetEndpoints {
    init(_ embedded: EmbeddedOriginPlan, at server: String) {
        self.init(
            contentURL: server + OriginLayout.multivariantPath,
            adServers: [server],
            session: embedded.session,
            identifiesViewers: true,
            templates: embedded.templates(at: server)
        )
    }
}

extension LoadPlan {
    /// First URLs for a player or tool; empty for another target.
    package func entrances(at server: String) -> [String] {
        guard case .embedded(let embedded) = target else { return [] }
        let endpoints = TargetEndpoints(embedded, at: server)
        let first = AudienceTraits(audience, seed: seed).identity(ofViewer: 0)
        var lines: [String] = []
        if let templates = endpoints.templates {
            if !templates.contentNeedsSession, let channel = templates.contentURL(of: first, streamID: nil) {
                lines.append("Channel in the shape of the profile: \(channel)")
            }
            if let request = templates.sessionRequest(of: first) {
                lines.append("Sessions: \(request.method.rawValue.uppercased()) \(request.url)")
            }
        } else {
            let event = NetworkEvent(
                networkCode: embedded.session.networkCode,
                customAssetKey: embedded.session.customAssetKey
            )
            lines.append("Sessions: POST \(server)\(RegistrationRequest(event: event).path())")
        }
        return lines
    }
}

extension OriginConfiguration {
    /// Breaks, seed and protocol are those of `plan`.
    package init(_ origin: EmbeddedOriginPlan, of plan: LoadPlan, profileFolder: URL) {
        self.init()
        embedded = origin
        // Viewers' parameters may be secrets, and could fill the pipe to the child.
        embedded.session.adTagParameters = [:]
        (embedded.session.custParams, embedded.session.scte35, embedded.session.updates) = (nil, nil, nil)
        embedded.faultPlanPath = origin.faultPlanPath.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
        embedded.channelPlanPath = origin.channelPlanPath.map {
            URL(fileURLWithPath: $0, relativeTo: profileFolder).path
        }
        countedFields = PlannedFields(plan).counted
        breakDuration = plan.breaks.podDuration
        seed = plan.seed
        useHTTP2 = plan.connection.version == .http2 || plan.connection.version == .http2OrHTTP1 && origin.usesTLS
        if origin.usesTLS {
            certificateOutput = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(getpid()).pem").path
        }
        take(plan.breaks.source)
    }

    /// Gives the channel the viewers' breaks, or its own schedule where viewers read it.
    private mutating func take(_ source: BreakPlan.Source) {
        guard source != .none, !source.readsDateRanges else { return }
        breakInterval = .zero
        for source in source.each {
            switch source {
            case .every(let interval, let offset):
                breakInterval = interval
                breakOffset = offset
            case .guideMinute: breakInterval = .seconds(60)
            case .list, .trigger, .dateRange, .several, .none: break
            }
        }
    }
}

/// Paths and times of the reference origin in a run.
package enum OriginLayout {
    package static let multivariantPath = "/live/main/multivariant.m3u8"
    package static let healthPath = "/origin/health"
    package static let truthPath = "/origin/truth.json"
    /// In virtual time, and in a bill.
    package static let answerTime = Duration.milliseconds(1)
    /// Long enough for every loop to be ready.
    static let headStart = Duration.milliseconds(500)
    /// As many digits as the system's ports, because bodies repeat it.
    static let virtualPort = 49_152
    static let virtualBase = "http://127.0.0.1:\(virtualPort)"
}

/// Shares no thread, heap or limit with the generator; ends when its standard input closes.
///
/// `@unchecked Sendable`: Foundation's process and pipe are safe to use from any thread.
package final class EmbeddedOriginProcess: @unchecked Sendable {
    /// Whether this machine has a loopback device that is up: a datagram socket looks for a way without sending.
    static var isReachable: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), 9)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    let url: String
    /// PEM file to trust; nil without TLS.
    let certificate: String?
    private let process: Process
    private let lifeline: Pipe

    /// Returns when the child listens; throws `CommandFailure` if it ends instead.
    ///
    /// Settings go through a pipe: every user of the machine can read arguments, which would show a key.
    init(_ settings: OriginConfiguration) throws {
        let process = Process()
        let output = Pipe()
        let lifeline = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["origin", "--announce-ready", "--settings-from-input"]
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        // Before the child exists and could die: writing to a pipe without a reader raises a signal.
        try lifeline.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(settings) + Data("\n".utf8))
        try process.run()
        guard let line = output.fileHandleForReading.firstLine() else {
            process.waitUntilExit()
            let status = process.terminationStatus
            throw CommandFailure(
                "the embedded origin did not start (exit status \(status)); what it said stands above",
                as: status == PodswarmExit.badInput.rawValue ? .badInput : .ownDefect
            )
        }
        (self.process, self.lifeline) = (process, lifeline)
        (url, certificate) = (String(decoding: line, as: UTF8.self), settings.certificateOutput)
    }

    var isRunning: Bool { process.isRunning }
    var processIdentifier: Int32 { process.processIdentifier }

    /// A sentence without its full stop; nil while the child serves.
    var failure: String? {
        guard process.isRunning else {
            let kind = process.terminationReason == .uncaughtSignal ? "signal" : "exit status"
            return "the embedded origin ended during the run (\(kind) \(process.terminationStatus))"
        }
        return switch ProcessState(of: processIdentifier) {
        case .running: nil
        case .stopped: "the embedded origin was stopped during the run (SIGSTOP, a debugger)"
        case .gone: "the embedded origin ended during the run"
        }
    }

    /// Ends the child, waits for it, and removes its certificate.
    ///
    /// A stopped child would see neither its closed input nor a signal that it could handle.
    func stop() {
        if process.isRunning {
            try? lifeline.fileHandleForWriting.close()
            let isStopped = ProcessState(of: processIdentifier) == .stopped
            let patience = MonotonicClock.now().later(by: isStopped ? .zero : .seconds(5))
            while process.isRunning, MonotonicClock.now() < patience { usleep(2_000) }
            if process.isRunning { kill(processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }
        if let certificate { try? FileManager.default.removeItem(atPath: certificate) }
    }
}

extension FileHandle {
    /// Must be the only line so far; nil if the input ends before.
    package func firstLine() -> Data? {
        var line = Data()
        while true {
            let more = availableData
            guard !more.isEmpty else { return nil }
            line.append(more)
            if let end = line.firstIndex(of: 0x0A) { return line[..<end] }
        }
    }
}
