import CLinux
import Glibc
import Values

struct Watch {
    /// nil for a descriptor that is not watched.
    var handler: (any ReadinessHandler)?
    /// Tells uses of the number apart, so that no stale event is delivered.
    var generation: UInt32 = 0
    var interest: Readiness = []
}

extension EventLoop {
    private static let timerUserData = UInt64.max
    private static let wakeUserData = UInt64.max - 1

    /// The epoll watches the other two, edge-triggered: neither has to be read.
    static func makeDescriptors() throws(EventLoopError) -> (epoll: Int32, timer: Int32, wake: Int32) {
        let made = [podswarm_epoll_create(), podswarm_timer_create(), podswarm_event_create()]
        let interest = podswarm_epoll_in | podswarm_epoll_edge
        let failed = made.firstIndex { $0 < 0 }
        guard failed == nil,
            podswarm_epoll_control(made[0], EPOLL_CTL_ADD, made[1], interest, timerUserData) == 0,
            podswarm_epoll_control(made[0], EPOLL_CTL_ADD, made[2], interest, wakeUserData) == 0
        else {
            let number = errno
            for descriptor in made where descriptor >= 0 { close(descriptor) }
            let call = failed.map { ["epoll_create1", "timerfd_create", "eventfd"][$0] } ?? "epoll_ctl"
            throw .system(call: call, errno: number)
        }
        return (made[0], made[1], made[2])
    }

    /// Begins to watch a descriptor, or changes what it is watched for.
    package func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        _ handler: any ReadinessHandler
    ) throws(EventLoopError) {
        assertOnLoop()
        guard isRunning else { throw .shutDown }
        guard descriptor >= 0 else { throw .system(call: "epoll_ctl", errno: EBADF) }
        let index = Int(descriptor)
        var watch = index < watches.count ? watches[index] : Watch()
        let isNew = watch.handler == nil
        guard isNew || watch.interest != interest else { return }
        if isNew { watch.generation &+= 1 }
        (watch.handler, watch.interest) = (handler, interest)
        let operation = isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        let userData = UInt64(watch.generation) << 32 | UInt64(index)
        guard podswarm_epoll_control(epoll, operation, descriptor, UInt32(interest.rawValue), userData) == 0 else {
            throw .system(call: "epoll_ctl", errno: errno)
        }
        while watches.count <= index { watches.append(Watch()) }
        watches[index] = watch
    }

    /// No event of it is delivered afterwards; call this before closing the descriptor.
    package func unwatch(_ descriptor: Int32) {
        assertOnLoop()
        let index = Int(descriptor)
        guard watches.indices.contains(index), watches[index].handler != nil else { return }
        watches[index].handler = nil
        _ = podswarm_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    /// Delivers events, which may be older than timers fired since; true if some are left for the next round.
    func deliver(_ ready: Range<Int>, since began: Instant) -> Bool {
        guard let base = events.baseAddress else { return false }
        for position in ready {
            deliver(base + position)
            guard position & 3 == 3, position + 1 < ready.upperBound else { continue }
            if MonotonicClock.now() &- began > Self.maximumDelivery {
                undelivered = position + 1..<ready.upperBound
                return true
            }
        }
        return false
    }

    /// Nanoseconds after which timers fire, should a peer give a handler megabytes to read.
    private static let maximumDelivery: Int64 = 20_000_000

    private func deliver(_ event: UnsafePointer<epoll_event>) {
        let userData = podswarm_epoll_user_data(event)
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: userData))
        let index = Int(descriptor)
        guard index >= 0 else {
            // The timerfd fires once: the next wait has to arm it.
            if userData == Self.timerUserData { armedDeadline = .distantFuture }
            return
        }
        guard index < watches.count, watches[index].generation == UInt32(userData >> 32),
            let handler = watches[index].handler
        else { return }
        let bits = podswarm_epoll_events(event)
        // A handler may have changed its interest meanwhile.
        var readiness = watches[index].interest.intersection(Readiness(rawValue: UInt8(truncatingIfNeeded: bits)))
        if bits & (podswarm_epoll_error | podswarm_epoll_hangup) != 0 { readiness.insert(.failed) }
        guard !readiness.isEmpty else { return }
        handler.descriptorReady(descriptor, readiness)
    }
}

/// Bits of epoll_ctl(2).
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Data, an end of stream or a pending connection.
    package static let readable = Readiness(rawValue: 1)
    /// Room for data, or the end of a connect.
    package static let writable = Readiness(rawValue: 4)
    /// An error or a hang-up; reported unasked too.
    package static let failed = Readiness(rawValue: 8)
}

package protocol ReadinessHandler: AnyObject {
    /// Level-triggered; called on the loop.
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness)
}

package enum DescriptorLimit {
    /// To the hard limit, for this process and its children: a shell's default would bound the number of viewers.
    ///
    /// Returns the limit that holds then.
    @discardableResult
    package static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
    }
}
