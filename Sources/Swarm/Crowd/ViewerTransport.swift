package import Audit
import Transport
package import Values
package import Viewer

/// Carries the requests of a crowd's viewers: `HTTPTransport`, `VirtualTransport` or a script.
protocol ViewerTransport: AnyObject {
    var handler: (any TransferHandler)? { get set }
    var delegate: (any TransportDelegate)? { get set }
    var inFlight: Int { get }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner
    func start(_ request: TransferRequest)
    func warm(_ request: PreparedRequest, owner: ConnectionOwner)
    func close(_ owner: ConnectionOwner)
    func shutDown(_ done: @escaping () -> Void)
}

extension HTTPTransport: ViewerTransport {}

/// Observes viewers step by step, for the explanations of `check`.
///
/// Called on the viewers' loops; costs nothing in a run without an observer.
package protocol ViewerObserver: FindingObserver, Sendable {
    /// Called after an event; its actions are carried out next.
    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant)
}
