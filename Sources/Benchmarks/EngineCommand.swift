import ArgumentParser
import Dispatch
import EventLoop
import Foundation
import Transport

/// The engine alone, as a child process of the measuring commands, so that the kernel counts it like its peers.
struct EngineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "engine", shouldDisplay: false)

    @Option var url: String
    @Option var connections: Int
    /// 0: each connection asks once, then all are idle.
    @Option var seconds: Int
    @Option var certificate: String
    @Flag(name: .customLong("http2")) var http2 = false

    func run() throws {
        let loop = try EventLoop(label: "engine", index: 0)
        let ended = DispatchSemaphore(value: 0)
        let load = EngineLoad(
            loop: loop,
            url: url,
            connections: connections,
            seconds: seconds,
            certificate: certificate,
            http2: http2
        ) { ended.signal() }
        loop.execute { load.start() }
        ended.wait()
        print(load.report.text)
    }
}

/// What the engine's child process prints.
struct EngineReport {
    var requests = 0
    var failures = 0
    /// Resident memory with an empty transport, and with every connection open and idle.
    var residentBefore = 0
    var residentAfter = 0

    init() {}

    init?(_ text: String) {
        guard let match = text.firstMatch(of: /engine (\d+) (\d+) (\d+) (\d+)/), let requests = Int(match.1),
            let failures = Int(match.2), let before = Int(match.3), let after = Int(match.4)
        else { return nil }
        self.requests = requests
        self.failures = failures
        residentBefore = before
        residentAfter = after
    }

    var text: String { "engine \(requests) \(failures) \(residentBefore) \(residentAfter)" }

    /// Resident bytes of this process now.
    static func resident() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// A closed loop over one connection for each viewer, or one poll for each of them.
///
/// `@unchecked Sendable`: touched on the loop only; `report` is read after the loop has shut down.
final class EngineLoad: TransferHandler, @unchecked Sendable {
    private let loop: EventLoop
    private let url: String
    private let connections: Int
    private let seconds: Int
    private let certificate: String
    private let http2: Bool
    private let done: @Sendable () -> Void
    private var transport: HTTPTransport?
    private var owners: [ConnectionOwner] = []
    private var request: PreparedRequest?
    private var deadline: Int64 = 0
    private var nextOwner = 0
    private var lastBody: [UInt8] = []
    private(set) var report = EngineReport()

    /// Connections that may be in the making at once.
    private static let ramp = 64

    init(
        loop: EventLoop,
        url: String,
        connections: Int,
        seconds: Int,
        certificate: String,
        http2: Bool,
        done: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.url = url
        self.connections = connections
        self.seconds = seconds
        self.certificate = certificate
        self.http2 = http2
        self.done = done
    }

    func start() {
        var configuration = TransportConfiguration()
        configuration.caFile = certificate
        configuration.acceptEncoding = false
        configuration.httpVersion = http2 ? .http2 : .http1
        do {
            let transport = try HTTPTransport(loop: loop, configuration: configuration, expectedOwners: connections)
            transport.handler = self
            self.transport = transport
            request = PreparedRequest(url: url)
            report.residentBefore = EngineReport.resident()
            for _ in 0..<connections { owners.append(transport.makeOwner()) }
        } catch {
            report.failures += 1
            finish()
            return
        }
        deadline = MonotonicClock.now() + Int64(seconds) * 1_000_000_000
        for _ in 0..<min(Self.ramp, connections) { join() }
    }

    private func join() {
        guard nextOwner < owners.count else { return }
        ask(nextOwner)
        nextOwner += 1
    }

    private func ask(_ owner: Int) {
        guard let transport, let request else { return }
        transport.start(
            TransferRequest(request, owner: owners[owner], plannedAt: MonotonicClock.now(), token: UInt64(owner))
        )
    }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let isGood = result.failure == nil && result.status == 200
        if isGood { report.requests += 1 } else { report.failures += 1 }
        if !isLast(result.body) { lastBody = Array(result.body) }
        if result.isNewConnection { join() }
        if isGood, result.doneAt < deadline {
            ask(Int(token))
        } else if transport?.inFlight == 0 {
            finish()
        }
    }

    private func isLast(_ body: UnsafeRawBufferPointer) -> Bool {
        lastBody.withUnsafeBytes { last in
            guard last.count == body.count, let left = last.baseAddress, let right = body.baseAddress else {
                return last.count == body.count
            }
            return memcmp(left, right, last.count) == 0
        }
    }

    private func finish() {
        report.residentAfter = EngineReport.resident()
        guard let transport else {
            done()
            return
        }
        self.transport = nil
        transport.shutDown { [loop, done] in loop.shutDown(done) }
    }
}
