/// Identifies a request in the logs and traces of the servers that answer it.
///
/// W3C Trace Context (https://www.w3.org/TR/trace-context/), version 00; always with the flag "sampled".
package struct TraceContext: Hashable, Sendable {
    package static let headerName = "traceparent"

    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let parent: UInt64

    /// Ids of nothing but zeros are invalid, and become 1.
    package init(traceHigh: UInt64, traceLow: UInt64, parent: UInt64) {
        self.traceHigh = traceHigh
        self.traceLow = traceHigh == 0 && traceLow == 0 ? 1 : traceLow
        self.parent = parent == 0 ? 1 : parent
    }

    /// 32 lower-case hexadecimal digits.
    package var traceID: String { Self.hexadecimal(traceHigh) + Self.hexadecimal(traceLow) }

    package var headerValue: String { "00-\(traceID)-\(Self.hexadecimal(parent))-01" }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
