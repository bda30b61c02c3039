import Glibc

enum BenchmarkError: Error, CustomStringConvertible {
    case missing(Tool)
    case cannotStart(program: String, errno: Int32)
    case failed(program: String, ending: ChildEnding, output: String)
    /// A generator ran, but its figures cannot be used.
    case unusable(program: String, reason: String)
    case file(String)

    var description: String {
        switch self {
        case .missing(let tool): "\(tool.rawValue) is not installed: apt-get install \(tool.package)"
        case .cannotStart(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        case .failed(let program, let ending, let output): "\(program) ended with \(ending)\n\(output)"
        case .unusable(let program, let reason): "the figures of \(program) cannot be used: \(reason)"
        case .file(let reason): reason
        }
    }
}
