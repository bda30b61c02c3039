import NIOCore
import ServerTLS
import Synchronization

/// The connections that a listener has accepted, and the tasks that answer requests on them.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Nil where nobody asks who rests.
        let clock: RestingClock?
    }

    private struct State {
        var isStopping = false
        var channels: [ObjectIdentifier: Connection] = [:]
        var tasks = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Those who wait for the end, where it has come.
        mutating func takeWaitersAtEnd() -> [CheckedContinuation<Void, Never>] {
            guard channels.isEmpty, tasks == 0 else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())

    /// Knows a connection until it is closed.
    ///
    /// - Parameters:
    ///   - channel: Accepted just now.
    ///   - clock: Says since when it rests; nil where nobody asks.
    /// - Returns: Whether it may be served; no more are once it was asked to stop.
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

    /// Asks every connection to close once it is not answering.
    func quiesce() {
        let channels = state.withLock { state in
            defer { state.isStopping = true }
            // Twice is a mistake to those who are asked.
            return state.isStopping ? [] : state.channels.values.map(\.channel)
        }
        for channel in channels {
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
    }

    /// The connection that has waited for its client for the longest time; nil where all are being answered.
    var longestResting: (any Channel)? {
        state.withLock { state in
            let resting = state.channels.values.compactMap { connection in
                connection.clock?.restingSince.map { (since: $0, channel: connection.channel) }
            }
            return resting.min { $0.since < $1.since }?.channel
        }
    }

    /// Closes every connection at once, whatever is under way on it.
    func cut() {
        for channel in state.withLock({ $0.channels.values.map(\.channel) }) {
            // TLS would first wait for the peer; without TLS nobody knows the event.
            channel.triggerUserOutboundEvent(TLSServerHandler.AbruptClose(), promise: nil)
            channel.close(promise: nil)
        }
    }

    /// Returns once no connection is open and no task answers.
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
