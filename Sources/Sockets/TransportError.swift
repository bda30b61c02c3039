/// Why a transport could not be made.
package enum TransportError: Error, Equatable, CustomStringConvertible {
    /// A call into libcurl failed; `message` is libcurl's own text.
    case library(call: String, message: String)
    /// A certificate, key or authority file cannot be read.
    case unreadableFile(String)
    /// A certificate, key or authority file can be read and holds something else.
    case unusableFile(String, String)
    /// A source address is no numeric IPv4 or IPv6 address.
    case invalidSourceAddress(String)

    package var description: String {
        switch self {
        case .library(let call, let message): "libcurl: \(call) failed: \(message)"
        case .unreadableFile(let path): "cannot read \(path)"
        case .unusableFile(let path, let reason): "cannot use \(path): \(reason)"
        case .invalidSourceAddress(let text): "\(text) is not a numeric IP address"
        }
    }
}
