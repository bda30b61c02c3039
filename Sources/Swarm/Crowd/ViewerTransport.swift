import Transport

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
