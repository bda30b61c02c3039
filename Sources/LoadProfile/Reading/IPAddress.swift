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
