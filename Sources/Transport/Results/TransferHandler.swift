import Rulebook

/// Told on the loop how a transfer ended.
package protocol TransferHandler: AnyObject {
    /// Called once for each started transfer, on the loop and never from within `start`, `close` or `cancelAll`.
    ///
    /// The body is valid during the call only. New transfers may be started and owners closed from here.
    func transferFinished(token: UInt64, _ result: borrowing TransferResult)
}

/// Told on the loop that the transport itself has failed, which is a defect of the harness and not of the target.
package protocol TransportDelegate: AnyObject {
    /// Called at most once; every transfer in flight, and every later one, ends as `TransportFailure.other`.
    func transportFailed(_ reason: String)
}
