/// A duration measured for each request kind, in microseconds; the middle word of a latency metric's name.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum LatencyMetric: UInt8, NamedCase, Sendable {
    /// Planned to sent less connecting: the generator's own delay, never the target's.
    case lateness
    /// Sent to received: the time of the target and the network.
    case service
    /// Planned to received: the time that a viewer would have felt (no coordinated omission).
    case response
    /// Sent to the first byte of the answer.
    case firstByte
    /// The TCP connection, on new connections only.
    case connect
    /// The TLS handshake, on new TLS connections only.
    case tls
    /// Received by the kernel to read by its loop: the generator's own delay, of answers with a stamp only.
    case handling

    /// Number of cases, as a constant for the recording of samples.
    @inlinable public static var count: Int { 7 }

    package static let names = CaseNames<Self>()
}
