import Values

/// Families take turns, IPv6 first (RFC 8305 section 4); within one each viewer has its own order, which other addresses'
/// coming and going does not change; rule 9 of RFC 6724 would send all to one address.
struct AddressList {
    static let none = AddressList([])

    private let addresses: [SocketAddress]
    private let hashes: [UInt64]
    private let version6Count: Int

    init(_ given: [SocketAddress]) {
        let addresses = given.sorted(by: SocketAddress.precedes)
        self.addresses = addresses
        hashes = addresses.map { Self.mixed($0.hash) }
        version6Count = addresses.firstIndex { !$0.isVersion6 } ?? addresses.count
    }

    var count: Int { addresses.count }
    var isEmpty: Bool { addresses.isEmpty }

    /// nil after the last.
    func address(after tried: Int, chance: UInt32) -> SocketAddress? {
        guard tried < addresses.count else { return nil }
        guard addresses.count > 1 else { return addresses.first }
        let (version6, version4) = (0..<version6Count, version6Count..<addresses.count)
        let turns = 2 * min(version6.count, version4.count)
        let (family, rank) =
            if tried < turns {
                (tried.isMultiple(of: 2) ? version6 : version4, tried / 2)
            } else {
                (version6.count > version4.count ? version6 : version4, tried - turns / 2)
            }
        let precedes = { (left: Int, right: Int) in weight(of: left, chance) < weight(of: right, chance) }
        guard rank > 0 else { return family.min(by: precedes).map { addresses[$0] } }
        return addresses[family.sorted(by: precedes)[rank]]
    }

    /// An address of another family is raced.
    func changesFamily(after tried: Int, chance: UInt32) -> Bool {
        guard tried > 0, let next = address(after: tried, chance: chance) else { return false }
        return next.family != address(after: tried - 1, chance: chance)?.family
    }

    private func weight(of index: Int, _ chance: UInt32) -> UInt64 {
        Self.mixed(hashes[index] ^ Self.mixed(UInt64(chance)))
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: value)
        return generator.next()
    }
}
