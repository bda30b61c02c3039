import Glibc

/// Measures a load generator from outside between two marks, when all its connections are open: in the same way for every
/// generator, and without connecting.
struct SteadyWindow {
    let cpuMicroseconds: Double
    let requests: Int
    let seconds: Double

    /// Microseconds between the last connection and the first mark.
    private static let settling: UInt32 = 500_000

    /// Waits until each connection was answered, then for `seconds`; the generator has to last until the second mark.
    init(
        of child: ChildProcess,
        connections: Int,
        seconds: Int,
        connectingSeconds: Int,
        server: NginxServer
    ) throws(BenchmarkError) {
        guard let clock = ProcessClock(child.identifier) else {
            throw .unusable(program: child.program, reason: "it ended at once")
        }
        for _ in 0..<connectingSeconds * 10 where server.answeredConnections < connections { usleep(100_000) }
        let open = server.answeredConnections
        guard open >= connections else {
            throw .unusable(program: child.program, reason: "it has only \(open) of \(connections) connections")
        }
        usleep(Self.settling)
        let first = (clock.microseconds, try server.status().requests, ContinuousClock.now)
        sleep(UInt32(seconds))
        let last = (clock.microseconds, try server.status().requests, ContinuousClock.now)
        cpuMicroseconds = last.0 - first.0
        // One of them was the status itself.
        requests = last.1 - first.1 - 1
        self.seconds = (last.2 - first.2) / .seconds(1)
        guard requests > 0, kill(child.identifier, 0) == 0 else {
            throw .unusable(program: child.program, reason: "it ended before the second mark")
        }
    }

    var figures: [Quantity: Double] {
        [.cpuPerRequest: cpuMicroseconds / Double(requests), .requestsPerSecond: Double(requests) / seconds]
    }
}
