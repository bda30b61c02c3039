import Glibc

/// Why a loop could not be made or could not watch a descriptor.
package enum EventLoopError: Error, Equatable, CustomStringConvertible {
    /// A system call failed; `errno` is its error number.
    case system(call: String, errno: Int32)
    /// The loop was shut down before the call.
    case shutDown

    package var description: String {
        switch self {
        case .system(let call, let number): "\(call) failed: \(String(cString: strerror(number)))"
        case .shutDown: "the event loop is shut down"
        }
    }
}
