import Rules
import Values

/// The parts that both carriers of a transport have in common; confined to its loop.
class TransferCarrier {
    final let loop: EventLoop
    final let configuration: TransportConfiguration
    final let sourceAddresses: [SourceAddress]
    final let origins: OriginTable
    final let remotes: RemoteAddresses
    final var handler: (any TransferHandler)?
    // Nanoseconds, where a request has no limits of its own.
    final let connectTimeout: Int64
    final let firstByteTimeout: Int64
    final let totalTimeout: Int64
    final let deadlines: DeadlineTable
    final var sweepTimer = TimerID.none
    /// Ends without an answer.
    final var ended: ContiguousArray<EndedTransfer> = []

    init(
        loop: EventLoop,
        configuration: TransportConfiguration,
        sourceAddresses: [SourceAddress],
        origins: OriginTable,
        remotes: RemoteAddresses
    ) {
        self.loop = loop
        self.configuration = configuration
        self.sourceAddresses = sourceAddresses
        self.origins = origins
        self.remotes = remotes
        connectTimeout = max(0, configuration.connectTimeout.nanosecondsHeld)
        firstByteTimeout = max(0, configuration.firstByteTimeout.nanosecondsHeld)
        totalTimeout = max(0, configuration.totalTimeout.nanosecondsHeld)
        deadlines = DeadlineTable(leastTimeout: min(connectTimeout, firstByteTimeout, totalTimeout))
    }

    /// Reported at the end of the turn.
    final func end(_ transfer: CarriedTransfer, _ failure: TransportFailure, on connection: AnsweredOn = .nothing) {
        ended.append(EndedTransfer(transfer: transfer, failure: failure, connection: connection))
    }

    /// Ends added meanwhile are reported in the next round.
    final func tellEnded(by carrier: Carrier) {
        guard !ended.isEmpty else { return }
        let toTell = ended
        ended = []
        for end in toTell {
            let (transfer, hop) = (end.transfer, end.transfer.hop)
            let result = TransferResult(
                failure: end.failure,
                plannedAt: transfer.request.plannedAt,
                history: transfer.history,
                times: AnswerTimes(doneAt: MonotonicClock.now()),
                on: end.connection,
                carrier: carrier,
                source: KnownAnswer(url: hop.url, remoteAddress: remotes.text(end.connection.remote), lastRequest: hop)
            )
            handler?.transferFinished(token: transfer.request.token, result)
        }
    }

    /// Checks the next hop before anything is sent to it.
    ///
    /// `url` is nil where the answer names no place, and empty where the place is invalid.
    final func redirection(
        of transfer: CarriedTransfer,
        to url: String?,
        after result: borrowing TransferResult
    ) -> Redirection {
        let limit = configuration.maximumRedirects
        guard limit > 0, let url, let redirect = RedirectStatus(result.status) else { return .none }
        guard Int(transfer.history.redirects) < limit else { return .refused(.redirectLimit) }
        let viewer: RedirectedViewer
        do {
            let token = transfer.request.token
            viewer = try handler?.redirected(to: url, token: token, after: result) ?? (nil, false)
        } catch {
            return .refused(error)
        }
        let hop = transfer.hop.redirected(
            to: url,
            keepsMethod: redirect.keepsMethod,
            cookies: viewer.cookies,
            isOfPage: viewer.isPage
        )
        guard !url.isEmpty, origins.route(of: hop) != nil else { return .refused(.unauthorisedHost) }
        return .followed(transfer.redirected(to: hop, after: result))
    }
}

struct EndedTransfer {
    let transfer: CarriedTransfer
    let failure: TransportFailure
    let connection: AnsweredOn
}

extension RangeReplaceableCollection {
    /// Removes and returns the elements that are meant.
    mutating func take(where isMeant: (Element) -> Bool) -> [Element] {
        let found = Array(filter(isMeant))
        if !found.isEmpty { removeAll(where: isMeant) }
        return found
    }
}
