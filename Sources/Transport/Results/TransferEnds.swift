/// The receivers of results, shared by a transport and its carriers.
final class TransferEnds {
    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
}
