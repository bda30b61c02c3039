import ArgumentParser
import Dispatch
import Foundation
import Glibc
import Synchronization
import Transport
import Values

struct EngineProcess {
    let child: ChildProcess
    private let order: EngineOrder

    /// Starts this program again as an engine.
    init(_ order: EngineOrder, core: Int, in folder: URL, under callgrind: Callgrind? = nil) throws {
        self.order = order
        let text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        let program = try callgrind?.ownProgram ?? Self.ownProgram()
        child = try ChildProcess(core: core, (callgrind?.wrapper ?? []) + [program, "engine", text], in: folder)
    }

    static func ownProgram() throws(BenchmarkError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw .file("cannot read /proc/self/exe")
        }
        return path
    }

    /// Throws if any request failed.
    func finish() throws -> (report: EngineReport, resources: ChildProcess.Resources, output: String) {
        let (output, resources) = try child.wait(atMostSeconds: order.limitSeconds + 10)
        let line = output.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
        guard let report = try? JSONDecoder().decode(EngineReport.self, from: Data(line.utf8)) else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "no report in its output\n\(output)")
        }
        guard report.failures == 0 else {
            throw BenchmarkError.unusable(program: "podswarm", reason: "\(report.failures) requests failed")
        }
        return (report, resources, output)
    }
}

struct Callgrind {
    let wrapper: [String]
    /// This program without debugging information, which valgrind 3.19 cannot read.
    let ownProgram: String

    init(in folder: URL) throws {
        let profile = folder.appendingPathComponent("callgrind.out").path
        wrapper = [try Tool.valgrind.path(), "--tool=callgrind", "--callgrind-out-file=\(profile)"]
        ownProgram = folder.appendingPathComponent("podswarm-benchmarks").path
        let strip = try ChildProcess(
            try Tool.strip.path(),
            ["strip", "--strip-debug", "-o", ownProgram, try EngineProcess.ownProgram()],
            in: folder
        )
        _ = try strip.wait(atMostSeconds: 60)
    }

    static func instructions(in output: String) throws(BenchmarkError) -> Double {
        guard let match = output.firstMatch(of: /Collected : (\d+)/), let count = Double(match.1) else {
            throw .unusable(program: "valgrind", reason: "no count of instructions in its output\n\(output)")
        }
        return count
    }
}

struct EngineOrder: Codable {
    enum Workload: String, Codable {
        case closedLoop
        case openLoop
        case burst
        case audience
    }

    var workload: Workload
    /// Scheme, address and port.
    var origin: String
    var scheme: Scheme
    var viewers: Int
    var caFile: String
    /// From all connections open; 0 ends there.
    var seconds = 0
    /// Ends a closed loop instead of `seconds`.
    var requests: Int?
    var requestsPerSecond = 0
    var repetitions = 0

    init(_ workload: Workload, _ scheme: Scheme, on bench: Bench, viewers: Int) {
        self.workload = workload
        origin = bench.server.origin(scheme)
        (self.scheme, self.viewers) = (scheme, viewers)
        caFile = bench.server.certificate.file
    }

    var url: String { origin + NginxServer.playlistPath }

    /// A longer life means a stuck engine.
    var limitSeconds: Int { (requests == nil ? 60 : 30) + viewers / 100 + 2 * seconds + 4 * repetitions }
}

struct EngineReport: Codable {
    var requests = 0
    var failures = 0
    var residentBytes = 0
    /// After all connections were open.
    var loopCPUMicroseconds = 0
    var loopRequests = 0
    /// Planned to sent, in microseconds.
    var lateness: [Quantity: Double] = [:]
    var bursts: [[Quantity: Double]] = []
    var bareBursts: [[Quantity: Double]] = []
}

extension Quantity {
    /// nil without a send.
    static func burst(due: Instant, sends: [Instant], lastAnswer: Instant) -> [Quantity: Double]? {
        let after = sends.map { Double($0.nanoseconds(since: due)) / 1000 }
        guard let first = after.min(), let median = after.median, let last = after.max() else { return nil }
        let answer = Double(lastAnswer.nanoseconds(since: due)) / 1000
        return [.firstSend: first, .medianSend: median, .lastSend: last, .lastAnswer: answer]
    }
}

/// podswarm's engine in a child process, so that it is measured like its peers.
///
/// Not asynchronous: such commands end the main thread in a way that valgrind 3.19 does not survive.
struct EngineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "engine", shouldDisplay: false)

    @Argument(
        help: "An engine order as JSON.",
        transform: { try JSONDecoder().decode(EngineOrder.self, from: Data($0.utf8)) }
    )
    var order: EngineOrder

    func run() throws {
        // Ends a stuck engine.
        alarm(UInt32(order.limitSeconds))
        let failure = Mutex<(any Error)?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task { [order] in
            do {
                let report = try await order.workload == .audience ? IdleAudience.measure(order) : Self.poll(order)
                print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        ended.wait()
        if let error = failure.withLock(\.self) { throw error }
    }

    private static func poll(_ order: EngineOrder) async throws -> EngineReport {
        let loop = try EventLoop(label: "engine")
        let report: EngineReport = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    let viewers = try PollingViewers(order, loop: loop)
                    let workload: any EngineWorkload =
                        switch order.workload {
                        case .openLoop: OpenLoop(order, viewers)
                        case .burst: Burst(order, viewers)
                        case .closedLoop, .audience: ClosedLoop(order, viewers)
                        }
                    viewers.connect(then: workload) { continuation.resume(returning: $0) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.shutDown { continuation.resume() }
        }
        return report
    }
}

/// Load once all connections are open; called on the loop.
protocol EngineWorkload: AnyObject {
    func begin()
    func answered(viewer: Int, plannedAt: Instant, sentAt: Instant, doneAt: Instant)
}
