import Glibc

package enum EventLoopError: Error, Equatable, CustomStringConvertible {
    case system(call: String, errno: Int32)
    case shutDown

    package var description: String {
        switch self {
        case .system(let call, let number): "\(call) failed: \(String(cString: strerror(number)))"
        case .shutDown: "the event loop is shut down"
        }
    }
}
