import Values

/// The parts that both carriers of a transport have in common; confined to its loop.
class TransferCarrier {
    final let loop: EventLoop
    final let configuration: TransportConfiguration
    final let sourceAddresses: [SourceAddress]
    final let origins: OriginTable
    final let remotes: RemoteAddresses
    final let ends: TransferEnds
    // Nanoseconds, where a request has no limits of its own.
    final let connectTimeout: Int64
    final let firstByteTimeout: Int64
    final let totalTimeout: Int64
    final let deadlines: DeadlineTable
    final var sweepTimer = TimerID.none

    init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        sourceAddresses: [SourceAddress],
        origins: OriginTable,
        remotes: RemoteAddresses,
        ends: TransferEnds
    ) {
        self.loop = loop
        self.configuration = configuration
        self.sourceAddresses = sourceAddresses
        self.origins = origins
        self.remotes = remotes
        self.ends = ends
        connectTimeout = max(0, configuration.connectTimeout.nanosecondsHeld)
        firstByteTimeout = max(0, configuration.firstByteTimeout.nanosecondsHeld)
        totalTimeout = max(0, configuration.totalTimeout.nanosecondsHeld)
        deadlines = DeadlineTable(leastTimeout: min(connectTimeout, firstByteTimeout, totalTimeout))
    }
}

final class TransferEnds {
    var handler: (any TransferHandler)?
    weak var delegate: (any TransportDelegate)?
}
