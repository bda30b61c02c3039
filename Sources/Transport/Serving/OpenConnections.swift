import NIOCore
import Synchronization

/// Connections that a listener has accepted, and the number of tasks that answer requests on them.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        let clock: RestingClock?
    }

    private struct State {
        var isStopping = false
        var channels: [ObjectIdentifier: Connection] = [:]
        var tasks = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// The waiters for the end, if it has come; otherwise empty.
        mutating func takeWaitersAtEnd() -> [CheckedContinuation<Void, Never>] {
            guard channels.isEmpty, tasks == 0 else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())

    /// Registers an accepted connection until it is closed; false if the listener is stopping, and it must not be served.
    func add(_ channel: any Channel, clock: RestingClock?) -> Bool {
        let identifier = ObjectIdentifier(channel)
        let isServed = state.withLock { state in
            if !state.isStopping { state.channels[identifier] = Connection(channel: channel, clock: clock) }
            return !state.isStopping
        }
        guard isServed else { return false }
        channel.closeFuture.whenComplete { [self] _ in
            let waiters = state.withLock { state in
                state.channels[identifier] = nil
                return state.takeWaitersAtEnd()
            }
            for waiter in waiters { waiter.resume() }
        }
        return true
    }

    func taskBegan() { state.withLock { $0.tasks += 1 } }

    func taskEnded() {
        let waiters = state.withLock { state in
            state.tasks -= 1
            return state.takeWaitersAtEnd()
        }
        for waiter in waiters { waiter.resume() }
    }

    func quiesce() {
        let channels = state.withLock { state in
            defer { state.isStopping = true }
            // NIO's handlers treat a second event as an error.
            return state.isStopping ? [] : state.channels.values.map(\.channel)
        }
        for channel in channels {
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
    }

    var longestResting: (any Channel)? {
        state.withLock { state in
            let resting = state.channels.values.compactMap { connection in
                connection.clock?.restingSince.map { (since: $0, channel: connection.channel) }
            }
            return resting.min { $0.since < $1.since }?.channel
        }
    }

    func cut() {
        for channel in state.withLock({ $0.channels.values.map(\.channel) }) {
            // TLS would first wait for the peer; without TLS, no handler knows the event.
            channel.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
            channel.close(promise: nil)
        }
    }

    func ended() async {
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.waiters.append(continuation)
                return state.takeWaitersAtEnd()
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
