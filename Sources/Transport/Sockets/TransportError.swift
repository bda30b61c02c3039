import Values

package enum TransportError: Error, Equatable, CustomStringConvertible {
    case library(call: String, message: String)
    case unreadableFile(String)
    /// Readable, but not a certificate, key or authority file.
    case unusableFile(String, String)
    case invalidSourceAddress(String)

    package var description: String {
        switch self {
        case .library(let call, let message): "libcurl: \(call) failed: \(message)"
        case .unreadableFile(let path): "cannot read \(path)"
        case .unusableFile(let path, let reason): "cannot use \(path): \(reason)"
        case .invalidSourceAddress(let text): "\(text) is not a numeric IP address"
        }
    }

    /// Throws for files that OpenSSL might wait for, such as a named pipe.
    static func refuseSpecial(_ file: String) throws(TransportError) {
        do throws(UntrustedFile.Refusal) {
            _ = try UntrustedFile.opened(file)
        } catch {
            if error == .special { throw .unusableFile(file, "\(error)") }
        }
    }
}
