import NIOCore
import Synchronization

/// Since when a connection has waited for its client.
///
/// Written on the connection's event loop, read on any.
final class RestingClock: Sendable {
    /// 0 while the connection is of use.
    private let since = Atomic<UInt64>(NIODeadline.now().uptimeNanoseconds)

    func rests() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

    func works() { since.store(0, ordering: .relaxed) }

    /// Nil while a request is being answered.
    var restingSince: UInt64? {
        let value = since.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }
}
