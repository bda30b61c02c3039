import CCurl
import DequeModule
import Rules
import Values

extension CurlCarrier {
    /// True while there is more to admit.
    func turnEnded() -> Bool {
        guard !isTornDown else { return false }
        if harnessFailure != nil { reportFailure() }
        endOverdue()
        admitPending()
        if needsDrive {
            needsDrive = false
            act(on: CURL_SOCKET_TIMEOUT, 0)
        }
        tellStopped()
        tellEnded()
        armSweep()
        return needsDrive || !pending.isEmpty || !stopped.isEmpty || !ended.isEmpty
            || (harnessFailure != nil && !hasReportedFailure)
    }

    private func admitPending() {
        var admitted = 0
        while admitted < Self.batchLimit, let next = pending.popFirst() {
            if let failure = admit(next) { end(next, failure) }
            admitted += 1
        }
    }

    /// Returns the failure where libcurl cannot get the transfer.
    private func admit(_ next: CarriedTransfer) -> TransportFailure? {
        guard harnessFailure == nil else { return .other }
        guard !next.request.owner.isClosed else { return .abandoned }
        guard let route = origins.route(of: next.hop) else { return .unauthorisedHost }
        // Only an owner's first connection waits for its name to be asked again.
        let isOpen = !next.request.owner.sockets.isEmpty
        if let name = unknownName(of: route) {
            names.lookUp(name)
            guard isOpen, name.addressesUntil != .zero else {
                unresolved.append((next, name, MonotonicClock.now()))
                return nil
            }
        }
        if !isOpen, let failure = nameFailure(of: route) { return failure }
        guard let transfer = takeTransfer() else { return .localResources }
        transfer.begin(next)
        guard configure(transfer, for: next) else {
            idleTransfers.append(transfer)
            return .localResources
        }
        activeCount += 1
        let (now, limits) = (MonotonicClock.now(), next.request.limits)
        if let least = limits.least { deadlines.notice(timeout: least) }
        // The total time includes earlier hops and carriers.
        let began = next.history.startedAt == .zero ? now : next.history.startedAt
        transfer.carried?.history.startedAt = began
        transfer.latestEnd = began.later(by: limits.totalTimeout(otherwise: totalTimeout))
        add(transfer, at: now)
        return nil
    }

    func add(_ transfer: Transfer, at now: Instant) {
        let code = curl_multi_add_handle(multi, transfer.easy)
        guard code == CURLM_OK else {
            fail("curl_multi_add_handle: \(String(cString: curl_multi_strerror(code)))")
            release(transfer)
            stopped.append((transfer, .other))
            return
        }
        transfer.isAdded = true
        transfer.request?.owner.transferSlots.append(transfer.slot)
        let limits = transfer.request?.limits ?? .configured
        let end = now.later(by: limits.connectTimeout(otherwise: connectTimeout))
        setDeadline(transfer, end, .connectTimeout)
    }

    private func takeTransfer() -> Transfer? {
        if let idle = idleTransfers.popLast() { return idle }
        guard let easy = curl_easy_init() else { return nil }
        let slot = freeSlots.popLast() ?? Int32(clamping: transfers.count)
        let transfer = Transfer(easy: easy, slot: slot, carrier: self)
        do {
            try transfer.setLastingOptions()
        } catch {
            curl_easy_cleanup(easy)
            freeSlots.append(slot)
            while transfers.count <= Int(slot) { transfers.append(nil) }
            fail("\(error)")
            return nil
        }
        if Int(slot) < transfers.count { transfers[Int(slot)] = transfer } else { transfers.append(transfer) }
        return transfer
    }

    /// Sets only options that differ from the handle's last request; false when libcurl refused.
    private func configure(_ transfer: Transfer, for next: CarriedTransfer) -> Bool {
        let owner = next.request.owner
        guard let group = group(of: owner) else { return false }
        var codes = CURLE_OK.rawValue
        if transfer.isRepeated {
            transfer.isRepeated = false
            codes |= podswarm_set_long(transfer.easy, CURLOPT_FRESH_CONNECT, 0).rawValue
        }
        if transfer.configuredGroup !== group {
            codes |= podswarm_set_pointer(transfer.easy, CURLOPT_SHARE, group.share).rawValue
            transfer.configuredGroup = group
        }
        if transfer.configuredScope != owner.scope {
            codes |= podswarm_set_long(transfer.easy, CURLOPT_ADDRESS_SCOPE, Int(owner.scope)).rawValue
            transfer.configuredScope = owner.scope
        }
        if transfer.configured !== next.hop { codes |= set(transfer, next.hop) }
        codes |= setAddresses(transfer, of: next)
        codes |= transfer.setSharing(configuration.httpVersion, next.hop.target)
        return codes == CURLE_OK.rawValue
    }

    func set(_ transfer: Transfer, _ request: PreparedRequest) -> UInt32 {
        let easy = transfer.easy
        var codes = podswarm_set_string(easy, CURLOPT_URL, request.url).rawValue
        codes |= transfer.setProxy(origins.route(of: request)?.proxy)
        codes |= podswarm_set_list(easy, CURLOPT_HTTPHEADER, request.keepHeaders()?.curlForm).rawValue
        let named = request.method == .put || request.method == .options ? request.method.rawValue : nil
        codes |= podswarm_set_string(easy, CURLOPT_CUSTOMREQUEST, named).rawValue
        switch request.method {
        case .get, .options:
            if transfer.configured?.method != .get { codes |= podswarm_set_long(easy, CURLOPT_HTTPGET, 1).rawValue }
        case .post, .put:
            codes |= podswarm_set_long(easy, CURLOPT_POST, 1).rawValue
            let body = request.body ?? []
            codes |= podswarm_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count).rawValue
            // libcurl would read an empty body without an address from the standard input.
            var bytes = body + [0]
            codes |= podswarm_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, &bytes).rawValue
        }
        transfer.configured = request
        return codes
    }

    // MARK: Names

    /// libcurl alone can convert names beyond ASCII, so it looks them up.
    private func isForeign(_ route: Route) -> Bool { !route.place.host.utf8.allSatisfy { $0 < 0x80 } }

    /// The name that must be looked up before a connection is opened, the proxy's first; nil where none must.
    func unknownName(of route: Route) -> Route? {
        if let proxy = route.proxy {
            guard names.knows(proxy.route) else { return proxy.route }
            if proxy.looksUpNames { return nil }
        }
        return isForeign(route) || names.knows(route) ? nil : route
    }

    /// The failure of a name without an address; nil where each has one.
    func nameFailure(of route: Route) -> TransportFailure? {
        if let proxy = route.proxy {
            guard !proxy.route.addresses.isEmpty else { return .proxyUnresolved }
            if proxy.looksUpNames { return nil }
        }
        return route.addresses.isEmpty && !isForeign(route) ? .dns : nil
    }

    func resolved(_ route: Route) {
        guard !isTornDown else { return }
        pending += unresolved.take { $0.route === route }.map(\.transfer)
    }

    /// Gives libcurl the addresses of a hop's name, and of its proxy's, in the owner's order.
    ///
    /// Each request does, because the handles of all owners have one cache of names, which keeps what it was given last.
    func setAddresses(_ transfer: Transfer, of next: CarriedTransfer) -> UInt32 {
        guard let route = origins.route(of: next.hop) else { return CURLE_OK.rawValue }
        var list: UnsafeMutablePointer<curl_slist>?
        for named in [route.proxy?.looksUpNames == true ? nil : route, route.proxy?.route] {
            guard let line = named?.resolveLine(for: next.request.owner) else { continue }
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return CURLE_OUT_OF_MEMORY.rawValue
            }
            list = longer
        }
        guard list != nil else { return CURLE_OK.rawValue }
        let code = podswarm_set_list(transfer.easy, CURLOPT_RESOLVE, list)
        curl_slist_free_all(transfer.addresses)
        transfer.addresses = list
        return code.rawValue
    }

    func release(_ transfer: Transfer) {
        deadlines.set(transfer.slot, .distantFuture)
        activeCount -= 1
    }

    /// Reported at the end of the turn.
    func stop(_ transfer: Transfer, _ failure: TransportFailure) {
        readConnectionTimes(of: transfer)
        remove(transfer)
        release(transfer)
        detach(transfer)
        stopped.append((transfer, transfer.behindProxy(failure) ?? failure))
    }

    func remove(_ transfer: Transfer) {
        guard transfer.isAdded else { return }
        transfer.isAdded = false
        transfer.request?.owner.transferSlots.removeAll { $0 == transfer.slot }
        let code = curl_multi_remove_handle(multi, transfer.easy)
        if code != CURLM_OK { fail("curl_multi_remove_handle: \(String(cString: curl_multi_strerror(code)))") }
    }
}

// MARK: - Deadlines

extension CurlCarrier: TimerHandler {
    func requestSent(_ transfer: Transfer, at now: Instant) {
        let limits = transfer.request?.limits ?? .configured
        let end = now.later(by: limits.firstByteTimeout(otherwise: firstByteTimeout))
        setDeadline(transfer, end, .firstByteTimeout)
    }

    func answerBegun(_ transfer: Transfer) { setDeadline(transfer, .distantFuture, .totalTimeout) }

    private func setDeadline(_ transfer: Transfer, _ phaseEnd: Instant, _ failure: TransportFailure) {
        transfer.timeout = phaseEnd <= transfer.latestEnd ? failure : .totalTimeout
        deadlines.set(transfer.slot, min(phaseEnd, transfer.latestEnd))
    }

    func timerFired(token: UInt64, deadline: Instant) {
        switch token {
        case TimerToken.library:
            libraryTimer = .none
            armedLibraryDeadline = .distantFuture
            if libraryDeadline <= MonotonicClock.now() {
                libraryDeadline = .distantFuture
                needsDrive = false
                act(on: CURL_SOCKET_TIMEOUT, 0)
            } else {
                armLibraryTimer()
            }
        default:
            sweepTimer = .none
            // An answer that lies in its socket came in time: read it first.
            isSweepDue = true
            let delay = MonotonicClock.now() &- deadline
            if delay > DeadlineTable.ownDelay { postponeDeadlines(by: delay) }
        }
    }

    /// Stalls of the loop do not count as time of the target.
    private func postponeDeadlines(by delay: Int64) {
        deadlines.postpone(by: delay)
        for case let transfer? in transfers where transfer.isAdded {
            transfer.latestEnd = transfer.latestEnd.later(by: delay)
        }
    }

    private func endOverdue() {
        guard isSweepDue else { return }
        isSweepDue = false
        for slot in deadlines.takeExpired(at: MonotonicClock.now()) {
            if let transfer = transfers[Int(slot)] { stop(transfer, transfer.timeout) }
        }
        let now = MonotonicClock.now()
        let overdue = unresolved.take {
            $0.since.later(by: $0.transfer.request.limits.connectTimeout(otherwise: connectTimeout)) <= now
        }
        for waiting in overdue {
            let isBehindProxy = origins.route(of: waiting.transfer.hop)?.proxy != nil
            end(waiting.transfer, isBehindProxy ? .proxyTimeout : .connectTimeout)
        }
    }

    /// libcurl's own timeouts would cost each request two insertions into its timer tree.
    ///
    /// It has none for the first byte: `CURLOPT_LOW_SPEED_TIME` counts whole seconds and cannot tell a silent server from a
    /// slow one.
    private func armSweep() {
        guard activeCount > 0 || !unresolved.isEmpty, sweepTimer == .none else { return }
        let next = MonotonicClock.now() &+ deadlines.interval
        sweepTimer = loop.schedule(at: next, token: TimerToken.sweep, handler: self)
    }
}

extension Route {
    private static let mostAddresses = 8

    /// The place's addresses in an owner's order, in the form of `CURLOPT_RESOLVE`; nil where the place is an address, or has
    /// none.
    func resolveLine(for owner: ConnectionOwner) -> String? {
        guard !isLiteral, !addresses.isEmpty else { return nil }
        let texts = (0..<min(addresses.count, Self.mostAddresses)).compactMap {
            addresses.address(after: $0, chance: owner.chance)?.host
        }
        return "\(place.host):\(place.port):\(texts.joined(separator: ","))"
    }
}
