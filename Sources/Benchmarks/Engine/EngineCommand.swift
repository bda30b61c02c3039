import ArgumentParser
import Dispatch
import Foundation
import Glibc
import Synchronization
import Transport
import Values

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
        DescriptorLimit.raise()
        let outcome = Mutex<Result<EngineReport, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Self.carryOut(order) { result in
            outcome.withLock { $0 = result }
            ended.signal()
        }
        ended.wait()
        guard let report = try outcome.withLock({ try $0?.get() }) else { return }
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    }

    private static func carryOut(
        _ order: EngineOrder,
        then done: @escaping @Sendable (Result<EngineReport, any Error>) -> Void
    ) {
        Task {
            do {
                let report =
                    switch order.workload {
                    case .audience: try await IdleAudience.measure(order)
                    case .closedLoop, .openLoop, .burst: try await EngineRun.report(of: order)
                    }
                done(.success(report))
            } catch {
                done(.failure(error))
            }
        }
    }
}

enum EngineRun {
    static func report(of order: EngineOrder) async throws -> EngineReport {
        let loop = try EventLoop(label: "engine", spin: .microseconds(order.spinMicroseconds))
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
