import NIOCore

/// Closes a connection without traffic for some time; used on the connection's event loop.
final class IdleTimer {
    private let limit: TimeAmount
    private var last = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func heard() { last = .now() }

    /// Checks until it is stopped.
    ///
    /// While `isBusy` (the client waits for the server), no time counts. `end` is called once, when the time is up.
    func start(on loop: any NIOCore.EventLoop, isBusy: @escaping () -> Bool, end: @escaping () -> Void) {
        look(in: limit, on: loop, isBusy, end)
    }

    func stop() {
        check?.cancel()
        check = nil
    }

    private func look(
        in delay: TimeAmount,
        on loop: any NIOCore.EventLoop,
        _ isBusy: @escaping () -> Bool,
        _ end: @escaping () -> Void
    ) {
        check = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            let due = isBusy() ? now + limit : last + limit
            if due > now { look(in: due - now, on: loop, isBusy, end) } else { end() }
        }
    }
}
