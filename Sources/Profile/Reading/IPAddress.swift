import Foundation

/// A literal IPv4 or IPv6 address; names are not looked up.
struct IPAddress: Equatable {
    /// 4 or 16 bytes in network order.
    let bytes: [UInt8]

    var isVersion6: Bool { bytes.count == 16 }

    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        isVersion6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 : bytes.first == 127
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The notation of RFC 5952 and RFC 1123.
    var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isVersion6 ? AF_INET6 : AF_INET
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    init?(_ text: String) {
        var version4 = in_addr()
        var version6 = in6_addr()
        if inet_pton(AF_INET, text, &version4) == 1 {
            bytes = withUnsafeBytes(of: version4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &version6) == 1 {
            bytes = withUnsafeBytes(of: version6) { Array($0) }
        } else {
            return nil
        }
    }
}
