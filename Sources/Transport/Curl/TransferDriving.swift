import CCurl
import DequeModule
import Rules
import Values

extension CurlCarrier {
    /// True while there is more to admit.
    func turnEnded() -> Bool {
        reportFailure()
        endOverdue()
        admitPending()
        if needsDrive {
            needsDrive = false
            act(on: CURL_SOCKET_TIMEOUT, 0)
        }
        tellEnded()
        if activeCount > 0 || !unresolved.isEmpty { armSweep() }
        return needsDrive || !pending.isEmpty || !ended.isEmpty
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
        do {
            try configure(transfer, for: next)
        } catch {
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
            return abandon(transfer, .other)
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
        if Int(slot) < transfers.count { transfers[Int(slot)] = transfer } else { transfers.append(transfer) }
        do {
            try transfer.setLastingOptions()
            return transfer
        } catch {
            fail("\(error)")
            free(transfer)
            return nil
        }
    }

    private func configure(_ transfer: Transfer, for next: CarriedTransfer) throws(TransportError) {
        let owner = next.request.owner
        let group = try group(of: owner)
        if transfer.configuredGroup !== group {
            try transfer.check(CURLOPT_SHARE, podswarm_set_pointer(transfer.easy, CURLOPT_SHARE, group.share))
            transfer.configuredGroup = group
        }
        transfer.isRepeated = false
        try transfer.set(CURLOPT_FRESH_CONNECT, 0)
        try transfer.set(CURLOPT_ADDRESS_SCOPE, Int(owner.scope))
        try transfer.set(next)
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
        pending += unresolved.take { $0.route === route }.map(\.transfer)
    }

    func release(_ transfer: Transfer) {
        deadlines.set(transfer.slot, .distantFuture)
        activeCount -= 1
    }

    /// Reported at the end of the turn, without what came of its answer.
    func abandon(_ transfer: Transfer, _ failure: TransportFailure) {
        stop(transfer)
        if let carried = transfer.carried { end(carried, failure, on: transfer.connection) }
        recycle(transfer)
    }

    /// Ends what libcurl has not.
    private func stop(_ transfer: Transfer) {
        readConnectionTimes(of: transfer)
        remove(transfer)
        release(transfer)
        detach(transfer)
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

// libcurl's own timeouts would cost each request two insertions into its timer tree. It has none for the first byte:
// `CURLOPT_LOW_SPEED_TIME` counts whole seconds and cannot tell a silent server from a slow one.
extension CurlCarrier {
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

    private func endOverdue() {
        guard isSweepDue else { return }
        isSweepDue = false
        for slot in deadlines.takeExpired(at: MonotonicClock.now()) {
            // A handler may have ended others.
            guard let transfer = transfers[Int(slot)], transfer.isAdded else { continue }
            stop(transfer)
            let failure = transfer.behindProxy(transfer.timeout)
            report(failure, present(transfer, at: MonotonicClock.now()), on: transfer.connection)
            recycle(transfer)
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
