import NIOCore
import Synchronization

/// Time since which a connection has waited for its client; written on its event loop, read on any.
final class RestingClock: Sendable {
    /// 0 while a request is being answered.
    private let since = Atomic<UInt64>(NIODeadline.now().uptimeNanoseconds)

    func rests() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    func works() { since.store(0, ordering: .relaxed) }

    /// Nanoseconds of `NIODeadline`; nil while a request is being answered.
    var restingSince: UInt64? {
        let value = since.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }
}
