import Rules

package protocol TransferHandler: AnyObject {
    /// Called once for each started transfer, on the loop and never from within `start`, `close` or `cancelAll`.
    ///
    /// The body is valid during the call only. New transfers may be started and owners closed from here.
    func transferFinished(token: UInt64, _ result: borrowing TransferResult)
}

/// Receives failures of the transport itself, which are defects of the harness and not of the target.
package protocol TransportDelegate: AnyObject {
    /// Called on the loop at most once; every transfer in flight, and every later one, ends as `TransportFailure.other`.
    func transportFailed(_ reason: String)
}

/// The receivers of results, shared by a transport and its carriers.
final class TransferEnds {
    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
}
