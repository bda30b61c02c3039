import CLinux
import Glibc
import Values

struct Watch {
    var handler: (any ReadinessHandler)?
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

    /// A descriptor has one registration at a time.
    package func register(
        descriptor: Int32,
        interest: Readiness,
        handler: any ReadinessHandler
    ) throws(EventLoopError) -> Registration {
        assertOnLoop()
        guard isRunning else { throw .shutDown }
        guard descriptor >= 0 else { throw .system(call: "epoll_ctl", errno: EBADF) }
        let index = Int(descriptor)
        let generation = index < watches.count ? watches[index].generation &+ 1 : 1
        let registration = Registration(descriptor: descriptor, generation: generation)
        let bits = UInt32(interest.rawValue)
        if podswarm_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, bits, registration.userData) != 0 {
            guard errno == EEXIST,
                podswarm_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, bits, registration.userData) == 0
            else { throw .system(call: "epoll_ctl", errno: errno) }
        }
        while watches.count <= index { watches.append(Watch()) }
        watches[index] = Watch(handler: handler, generation: registration.generation, interest: interest)
        return registration
    }

    /// Does nothing for a stale registration.
    package func update(_ registration: Registration, interest: Readiness) throws(EventLoopError) {
        assertOnLoop()
        guard isCurrent(registration) else { return }
        let index = Int(registration.descriptor)
        guard watches[index].interest != interest else { return }
        let bits = UInt32(interest.rawValue)
        guard
            podswarm_epoll_control(epoll, EPOLL_CTL_MOD, registration.descriptor, bits, registration.userData) == 0
        else { throw .system(call: "epoll_ctl", errno: errno) }
        watches[index].interest = interest
    }

    /// No event of it is delivered afterwards; call this before closing the descriptor.
    package func deregister(_ registration: Registration) {
        assertOnLoop()
        guard isCurrent(registration) else { return }
        let index = Int(registration.descriptor)
        watches[index].handler = nil
        watches[index].interest = []
        _ = podswarm_epoll_control(epoll, EPOLL_CTL_DEL, registration.descriptor, 0, 0)
    }

    private func isCurrent(_ registration: Registration) -> Bool {
        let index = Int(registration.descriptor)
        return index < watches.count && watches[index].generation == registration.generation
            && watches[index].handler != nil
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

/// One registration of one descriptor; a later registration of the same number is a new one.
package struct Registration: Hashable, Sendable {
    package let descriptor: Int32
    /// Tells reuses of the number apart, so that no stale event is delivered.
    let generation: UInt32

    var userData: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
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
