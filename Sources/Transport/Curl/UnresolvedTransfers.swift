import Values

struct UnresolvedTransfers {
    struct Entry {
        let transfer: CarriedTransfer
        let route: Route
        let since: Instant
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ transfer: CarriedTransfer, to route: Route) {
        entries.append(Entry(transfer: transfer, route: route, since: MonotonicClock.now()))
    }

    mutating func take(where isMeant: (Entry) -> Bool = { _ in true }) -> [CarriedTransfer] {
        let taken = entries.filter(isMeant)
        if !taken.isEmpty { entries.removeAll(where: isMeant) }
        return taken.map(\.transfer)
    }

    mutating func takeOverdue(at now: Instant, connectTimeout: Int64) -> [CarriedTransfer] {
        take { $0.since.later(by: $0.transfer.request.limits.connectTimeout(otherwise: connectTimeout)) <= now }
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
