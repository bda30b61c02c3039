import Foundation
import Glibc

enum Tool: String {
    case nginx
    case openssl
    case taskset
    case wrk
    case h2load
    case hey
    case valgrind
    case strip

    var package: String {
        switch self {
        case .nginx: "nginx-light"
        case .openssl: "openssl"
        case .taskset: "util-linux"
        case .wrk: "wrk"
        case .h2load: "nghttp2-client"
        case .hey: "hey"
        case .valgrind: "valgrind"
        case .strip: "binutils"
        }
    }

    func path() throws(BenchmarkError) -> String {
        for folder in ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/sbin", "/bin"] {
            let path = "\(folder)/\(rawValue)"
            if access(path, X_OK) == 0 { return path }
        }
        throw .missing(self)
    }

    var isInstalled: Bool { (try? path()) != nil }
}
