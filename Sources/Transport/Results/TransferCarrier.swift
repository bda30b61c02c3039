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
    final let carrier: Carrier
    /// For a connection, a stream or a handle without an answer.
    final let freshReader: AnswerReader

    // The exchange being reported, the source of its result. Accesses never overlap, so none is checked.

    @exclusivity(unchecked) final var reportedAnswer: AnswerReader
    @exclusivity(unchecked) final var reportedTransfer: CarriedTransfer?
    /// -1 once it is closed, and over libcurl.
    @exclusivity(unchecked) final var reportedDescriptor: Int32 = -1

    init(
        _ carrier: Carrier,
        loop: EventLoop,
        configuration: TransportConfiguration,
        sourceAddresses: [SourceAddress],
        origins: OriginTable,
        remotes: RemoteAddresses,
        reader: AnswerReader
    ) {
        (self.carrier, freshReader, reportedAnswer) = (carrier, reader, reader)
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
    final func tellEnded() {
        guard !ended.isEmpty else { return }
        let toTell = ended
        ended = []
        for end in toTell {
            (reportedTransfer, reportedDescriptor) = (end.transfer, -1)
            report(end.failure, AnswerTimes(doneAt: MonotonicClock.now()), on: end.connection)
        }
    }

    final func report(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) {
        if let handler, let token = reportedTransfer?.request.token {
            handler.transferFinished(token: token, result(failure, times, on: connection))
        }
        clearReported()
    }

    final func result(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) -> TransferResult {
        let keepsBody = reportedTransfer?.request.keepBody == true
        return TransferResult(
            failure: failure,
            status: reportedAnswer.status,
            body: keepsBody ? reportedAnswer.body : UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: reportedAnswer.wireBodyBytes,
            plannedAt: reportedTransfer?.request.plannedAt ?? .zero,
            history: reportedTransfer?.history ?? TransferHistory(),
            times: failure?.isTimeout == true ? times.withoutEnd : times,
            on: connection,
            carrier: carrier,
            flaws: reportedAnswer.flaws,
            source: self
        )
    }

    final func clearReported() {
        reportedTransfer = nil
        reportedAnswer.reset()
    }

    func noteConnection(_ note: UInt16) {}

    /// Checks the next hop before anything is sent to it.
    final func redirection(of transfer: CarriedTransfer, after result: borrowing TransferResult) -> Redirection {
        let limit = configuration.maximumRedirects
        guard limit > 0, let redirect = RedirectStatus(result.status), let location = result.header("location"),
            !location.isEmpty
        else { return .none }
        let url = RequestTarget.resolve(location, against: transfer.hop.url) ?? ""
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

extension TransferCarrier: AnswerSource {
    final var answerURL: String { reportedTransfer?.hop.url ?? "" }
    final var answerHead: UnsafeRawBufferPointer { reportedAnswer.head }
    final var lastRequest: PreparedRequest? { reportedTransfer?.hop }

    final func remoteAddress(_ number: UInt16) -> String { remotes.text(number) }
}

extension AnswerReader {
    init(_ configuration: TransportConfiguration) {
        self.init(
            limits: Limits(headerBytes: configuration.maximumHeaderBytes, bodyBytes: configuration.maximumBodyBytes),
            decodesContent: configuration.acceptEncoding,
            pool: AnswerPool(budget: configuration.bodyBudget)
        )
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
