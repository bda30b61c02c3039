import Transport
import Values

enum EngineRun {
    static func report(of order: EngineOrder) async throws -> EngineReport {
        let loop = try EventLoop(label: "engine", index: 0, spin: .microseconds(order.spinMicroseconds))
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

/// The viewers' load once all their connections are open; called on the loop.
protocol EngineWorkload: AnyObject {
    func begin()
    func answered(viewer: Int, plannedAt: Instant, sentAt: Instant, doneAt: Instant)
}
