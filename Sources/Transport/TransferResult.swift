import CCurl

/// How one transfer ended; valid during the handler's call only.
///
/// Instants are `MonotonicClock` nanoseconds, 0 when they never came.
package struct TransferResult: ~Copyable {
    /// nil when an answer arrived in full, whatever its status.
    package let failure: TransferFailure?
    /// The last status received, 0 when there was none.
    package let status: Int
    /// The decoded body; empty when it was not to be kept.
    package let body: UnsafeRawBufferPointer
    /// Body bytes as they came over the wire, before decoding.
    package let bodyBytes: Int
    package let plannedAt: Int64
    /// The moment the request was first about to be written to a connection.
    package let sentAt: Int64
    /// The first byte of the last answer.
    package let firstByteAt: Int64
    package let doneAt: Int64
    /// TCP connect without the name look-up, over all hops; 0 when the connection was reused.
    package let connectMicroseconds: Int64
    /// TLS handshake, over all hops; 0 when there was none.
    package let tlsMicroseconds: Int64
    /// Connections opened for this transfer, redirects included.
    package let newConnections: Int
    /// Times a request was put on a connection: more than 1 + `redirects` when libcurl repeated it because a reused
    /// connection turned out to be closed (RFC 9110 section 9.2.2).
    package let sends: Int
    package let redirects: Int
    /// Local port of the connection used last, 0 when there was none.
    package let localPort: UInt16

    private let transfer: Transfer?
    private let knownHeaders: [String: String]
    private let knownURL: String

    /// Whether this transfer had to open a connection.
    package var isNewConnection: Bool { newConnections > 0 }

    /// The URL that was asked last; not redacted.
    package var effectiveURL: String {
        guard let transfer else { return knownURL }
        var text: UnsafePointer<CChar>?
        guard podswarm_get_string(transfer.easy, CURLINFO_EFFECTIVE_URL, &text) == CURLE_OK, let text else { return "" }
        return String(cString: text)
    }

    /// What libcurl says of a failure, for people; empty when it says nothing.
    ///
    /// It may hold host names and paths.
    package var explanation: String {
        guard let transfer, failure != nil else { return "" }
        return String(cString: transfer.explanation)
    }

    /// The value of a header of the last answer, the last one where it came several times; names in any case.
    package func header(_ name: String) -> String? {
        guard let transfer else { return knownHeaders[name.lowercased()] }
        var header: UnsafeMutablePointer<curl_header>?
        let origin = UInt32(CURLH_HEADER)
        guard curl_easy_header(transfer.easy, name, 0, origin, -1, &header) == CURLHE_OK, let first = header else {
            return nil
        }
        let count = first.pointee.amount
        guard count > 1 else { return String(cString: first.pointee.value) }
        guard curl_easy_header(transfer.easy, name, count - 1, origin, -1, &header) == CURLHE_OK, let last = header
        else { return nil }
        return String(cString: last.pointee.value)
    }

    /// The end of a transfer that libcurl made.
    init(
        of transfer: Transfer,
        request: TransferRequest,
        failure: TransferFailure?,
        status: Int,
        bodyBytes: Int,
        doneAt: Int64
    ) {
        self.failure = failure
        self.status = status
        self.body = transfer.body?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        self.bodyBytes = bodyBytes
        self.plannedAt = request.plannedAt
        self.sentAt = transfer.sentAt
        self.firstByteAt = transfer.firstByteAt
        self.doneAt = doneAt
        self.connectMicroseconds = transfer.connectMicroseconds
        self.tlsMicroseconds = transfer.tlsMicroseconds
        self.newConnections = transfer.newConnections
        self.sends = transfer.sends
        self.redirects = transfer.redirects
        self.localPort = transfer.localPort
        self.transfer = transfer
        self.knownHeaders = [:]
        self.knownURL = ""
    }

    /// A result made without libcurl: for a request that was refused before it began, and for scripted transports.
    ///
    /// Names in `headers` are in lower case.
    package init(
        failure: TransferFailure?,
        status: Int = 0,
        body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        plannedAt: Int64,
        sentAt: Int64 = 0,
        firstByteAt: Int64 = 0,
        doneAt: Int64,
        connectMicroseconds: Int64 = 0,
        tlsMicroseconds: Int64 = 0,
        newConnections: Int = 0,
        redirects: Int = 0,
        localPort: UInt16 = 0,
        headers: [String: String] = [:],
        effectiveURL: String = ""
    ) {
        self.failure = failure
        self.status = status
        self.body = body
        self.bodyBytes = body.count
        self.plannedAt = plannedAt
        self.sentAt = sentAt
        self.firstByteAt = firstByteAt
        self.doneAt = doneAt
        self.connectMicroseconds = connectMicroseconds
        self.tlsMicroseconds = tlsMicroseconds
        self.newConnections = newConnections
        self.sends = sentAt == 0 ? 0 : 1 + redirects
        self.redirects = redirects
        self.localPort = localPort
        self.transfer = nil
        self.knownHeaders = headers
        self.knownURL = effectiveURL
    }
}
