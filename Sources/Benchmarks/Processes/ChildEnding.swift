import Glibc

enum ChildEnding: Equatable, CustomStringConvertible {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// The status must be of an ended child, not of a stopped one.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited(status: waitStatus >> 8 & 0xFF) : .killed(signal: signal)
    }

    var description: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "signal \(signal) (\(Self.name(of: signal)))"
        }
    }

    private static func name(of signal: Int32) -> String {
        let name: UnsafeMutablePointer<CChar>? = strsignal(signal)
        return name.map { String(cString: $0) } ?? "unknown"
    }
}
