import Glibc

/// Literal address; names are not looked up.
package struct IPAddress: Comparable, Sendable {
    package let isVersion6: Bool
    /// Network order, the last byte in the lowest bits.
    fileprivate let bits: UInt128

    /// 4 or 16 bytes, in network order.
    package init(bytes: some Collection<UInt8>) {
        isVersion6 = bytes.count == 16
        bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Notations of inet_pton(3): no shortened or octal IPv4 addresses, no brackets, no zone.
    package init?(_ text: String) {
        var version4 = in_addr()
        var version6 = in6_addr()
        if inet_pton(AF_INET, text, &version4) == 1 {
            self = withUnsafeBytes(of: version4) { IPAddress(bytes: $0) }
        } else if inet_pton(AF_INET6, text, &version6) == 1 {
            self = withUnsafeBytes(of: version6) { IPAddress(bytes: $0) }
        } else {
            return nil
        }
    }

    /// IPv6 before IPv4, and then by bytes.
    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        left.isVersion6 == right.isVersion6 ? left.bits < right.bits : left.isVersion6
    }

    /// 4 or 16, in network order.
    package var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { $0.suffix(isVersion6 ? 16 : 4) } }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { isVersion6 ? bits == 1 : bits >> 24 == 127 }

    /// The notation of RFC 5952 and RFC 1123.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isVersion6 ? AF_INET6 : AF_INET
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses that begin with the same bits, such as `192.0.2.0/24`; one address alone without a length.
package struct IPNetwork: Equatable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    private let length: Int

    /// Fails for a length beyond that of the address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first.withoutBrackets) else { return nil }
        let whole = address.isVersion6 ? 128 : 32
        guard let length = parts.count == 1 ? whole : Int(parts[1]), 0...whole ~= length else { return nil }
        (self.address, self.length) = (address, length)
    }

    private var hostMask: UInt128 { (1 << ((address.isVersion6 ? 128 : 32) - length)) &- 1 }

    package func contains(_ other: IPAddress) -> Bool {
        address.isVersion6 == other.isVersion6 && (address.bits ^ other.bits) & ~hostMask == 0
    }

    /// Host bits are the last of `bits`.
    package func address(_ bits: (high: UInt64, low: UInt64)) -> String {
        let host = UInt128(bits.high) << 64 | UInt128(bits.low)
        let mixed = address.bits & ~hostMask | host & hostMask
        return withUnsafeBytes(of: mixed.bigEndian) { IPAddress(bytes: $0.suffix(address.isVersion6 ? 16 : 4)).text }
    }

    package var description: String { "\(address.text)/\(length)" }
}

extension StringProtocol {
    /// Host of a URL without IPv6 brackets (RFC 3986 section 3.2.2).
    package var withoutBrackets: String {
        String(hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self[...])
    }
}

extension String {
    /// The host is in lower case, with brackets or without.
    package var isLoopbackHost: Bool { self == "localhost" || IPAddress(withoutBrackets)?.isLoopback ?? false }

    /// IPv6 in brackets (RFC 3986 section 3.2).
    package func authority(port: some BinaryInteger) -> String {
        contains(":") ? "[\(self)]:\(port)" : "\(self):\(port)"
    }
}
