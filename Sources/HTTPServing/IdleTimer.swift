import NIOCore

/// Ends a connection on which nothing has come or gone for some time.
///
/// To be used on the connection's event loop.
final class IdleTimer {
    private let limit: TimeAmount
    private var last = NIODeadline.now()
    private var check: Scheduled<Void>?

    init(limit: TimeAmount) {
        self.limit = limit
    }

    /// Something has come or gone: the time begins anew.
    func heard() { last = .now() }

    /// Looks from now on, until it is told to stop.
    ///
    /// - Parameters:
    ///   - loop: The connection's.
    ///   - isBusy: Whether the client waits for us, and not we for the client.
    ///   - end: Called when the time is up, after which it looks no more.
    func start(on loop: any EventLoop, isBusy: @escaping () -> Bool, end: @escaping () -> Void) {
        look(in: limit, on: loop, isBusy, end)
    }

    func stop() {
        check?.cancel()
        check = nil
    }

    private func look(
        in delay: TimeAmount,
        on loop: any EventLoop,
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
