import CCurl
import Rules
import Values

extension CurlCarrier {
    func drainMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = podswarm_message_result(message)
            var context: UnsafeMutableRawPointer?
            guard podswarm_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else {
                fail("libcurl finished a handle that is not ours")
                return
            }
            finish(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code)
        }
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        let doneAt = MonotonicClock.now()
        transfer.answer.take(status: transfer.number(CURLINFO_RESPONSE_CODE))
        readConnectionTimes(of: transfer)
        learnVersion(from: transfer)
        remove(transfer)
        if code != CURLE_OK, transfer.request?.owner.isFlooded == true {
            transfer.stopReason = transfer.stopReason ?? .protocolError
        }
        var failure =
            transfer.stopReason
            ?? TransportFailure(code: code, osError: transfer.osError(code), explanation: transfer.explanation)
        if failure == nil, case .failed(let reason) = transfer.answer.ended(isAnnounced: transfer.isEndAnnounced) {
            failure = reason
        }
        if failure == .reset, transfer.repeats(afterConnections: transfer.number(CURLINFO_NUM_CONNECTS)) {
            return add(transfer, at: doneAt)
        }
        failure = transfer.behindProxy(failure, code)
        let times = present(transfer, at: doneAt)
        if failure == nil, RedirectStatus(reportedAnswer.status) != nil {
            do {
                if let next = try redirection(times, on: transfer.connection) {
                    try follow(next, with: transfer, at: doneAt)
                    return clearReported()
                }
            } catch {
                failure = error
            }
        }
        release(transfer)
        report(failure, times, on: transfer.connection)
        recycle(transfer)
    }

    /// Makes the transfer the reported one.
    func present(_ transfer: Transfer, at doneAt: Instant) -> AnswerTimes {
        swap(&transfer.answer, &reportedAnswer)
        reportedTransfer = transfer.carried
        // libcurl reads the sockets, so there are no kernel stamps.
        return AnswerTimes(firstByteAt: transfer.firstByteAt, doneAt: doneAt)
    }

    /// Sends the next hop over the same handle, unless its name is unknown; a redirect is followed here, so that each hop is
    /// checked first.
    private func follow(_ next: CarriedTransfer, with transfer: Transfer, at now: Instant) throws(TransportFailure) {
        guard let route = origins.route(of: next.hop), unknownName(of: route) == nil else {
            release(transfer)
            recycle(transfer)
            return start(next)
        }
        if let failure = nameFailure(of: route) { throw failure }
        do { try transfer.set(next) } catch { throw .localResources }
        transfer.carried = next
        transfer.beginHop()
        add(transfer, at: now)
    }

    func readConnectionTimes(of transfer: Transfer) {
        let connections = transfer.number(CURLINFO_NUM_CONNECTS)
        guard connections > 0 else { return }
        transfer.carried?.history.newConnections &+= Int16(clamping: connections)
        let resolved = transfer.time(CURLINFO_NAMELOOKUP_TIME_T)
        let connected = transfer.time(CURLINFO_CONNECT_TIME_T)
        let secured = transfer.time(CURLINFO_APPCONNECT_TIME_T)
        if connected > 0 { transfer.carried?.history.connectMicroseconds &+= max(1, connected &- resolved) }
        if secured > 0 { transfer.carried?.history.tlsMicroseconds &+= max(1, secured &- connected) }
    }

    private func learnVersion(from transfer: Transfer) {
        guard configuration.httpVersion != .http1, transfer.firstByteAt != .zero, let prepared = transfer.configured,
            let route = origins.route(of: prepared), route.isSecure, !route.takesHTTP1,
            transfer.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_1_1
        else { return }
        route.takesHTTP1 = true
    }

    func recycle(_ transfer: Transfer) {
        transfer.carried = nil
        transfer.answer.reset()
        if let group = transfer.configuredGroup, group.ownerCount == 0 { detach(transfer) }
        guard idleTransfers.count < Self.idleLimit else { return free(transfer) }
        idleTransfers.append(transfer)
    }

    func free(_ transfer: Transfer) {
        curl_easy_cleanup(transfer.easy)
        transfers[Int(transfer.slot)] = nil
        freeSlots.append(transfer.slot)
    }
}

extension Transfer {
    /// Without TLS nothing vouches for an end, and a length, chunks and HTTP/2 need nothing that does.
    fileprivate var isEndAnnounced: Bool {
        configured?.target?.scheme != "https" || answer.isFramed
            || number(CURLINFO_HTTP_VERSION) > CURL_HTTP_VERSION_1_1
            || request?.owner.isEndAnnounced == true
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return podswarm_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    fileprivate func time(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return podswarm_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    fileprivate func osError(_ code: CURLcode) -> Int32 {
        guard code == CURLE_COULDNT_CONNECT else { return 0 }
        return socketErrno == 0 ? Int32(clamping: number(CURLINFO_OS_ERRNO)) : socketErrno
    }

    /// The failure, as the proxy's where the request did not get past it.
    ///
    /// `code` is libcurl's. A tunnel that is there is the target's: what is wrong in it came from either end.
    func behindProxy(_ failure: TransportFailure?, _ code: CURLcode = CURLE_OK) -> TransportFailure? {
        guard isProxied, let scheme = carrier.configuration.proxy?.scheme, failure != .abandoned else { return failure }
        guard code != CURLE_PROXY else {
            return TransportFailure(proxyError: CURLproxycode(UInt32(clamping: number(CURLINFO_PROXY_ERROR))))
        }
        guard !isSent else {
            guard !scheme.isSOCKS, configured?.target?.scheme == "http" else { return failure }
            if failure == nil, answer.status == Self.proxyAuthenticationRequired { return .proxyUnauthorised }
            // A proxy answers with 502 for a target that does not answer, or not in HTTP (RFC 9110 section 15.6.3).
            let isUnanswered = firstByteAt == .zero && (failure == .reset || failure == .protocolError)
            return isUnanswered ? .proxyBroken : failure
        }
        switch number(CURLINFO_HTTP_CONNECTCODE) {
        case 200..<300: return failure
        case Self.proxyAuthenticationRequired: return .proxyUnauthorised
        case 1...: return .proxyRefused
        // TLS comes after SOCKS, and is the target's.
        default: return scheme.isSOCKS && failure == .tls ? failure : failure?.ofProxy
        }
    }

    /// RFC 9110 section 15.5.8.
    private static let proxyAuthenticationRequired = 407
}

extension TransportFailure {
    /// Failure of a proxy that has let nothing through.
    fileprivate var ofProxy: TransportFailure {
        switch self {
        case .dns: .proxyUnresolved
        case .connectRefused, .connectFailed, .tls: .proxyUnreachable
        case .connectTimeout, .firstByteTimeout, .totalTimeout: .proxyTimeout
        case .reset, .protocolError: .proxyBroken
        default: self
        }
    }

    /// Maps the code of a SOCKS proxy (`CURLINFO_PROXY_ERROR`).
    ///
    /// Its replies of RFC 1928 section 6 about the target are the target's failures.
    fileprivate init(proxyError code: CURLproxycode) {
        self =
            switch code {
            case CURLPX_REPLY_CONNECTION_REFUSED: .connectRefused
            case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
                .connectFailed
            case CURLPX_RESOLVE_HOST: .dns
            case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: .proxyUnauthorised
            case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_REPLY_COMMAND_NOT_SUPPORTED,
                CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NOT_ALLOWED, CURLPX_REPLY_UNASSIGNED:
                .proxyRefused
            default: .proxyBroken
            }
    }
}
