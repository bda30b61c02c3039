package import Values

package struct TransferRequest {
    package typealias Method = PreparedRequest.Method

    package var request: PreparedRequest
    package var owner: ConnectionOwner
    /// When it should be sent; repeated in the result.
    package var plannedAt: Instant
    /// Passed to the handler unchanged.
    package var token: UInt64
    package var limits: TransferLimits
    /// Whether the body is kept until the handler has seen it; false counts its bytes only.
    package var keepBody: Bool

    package init(
        _ request: PreparedRequest,
        owner: ConnectionOwner,
        plannedAt: Instant,
        token: UInt64,
        keepBody: Bool = true,
        limits: TransferLimits = .configured
    ) {
        self.request = request
        self.owner = owner
        self.plannedAt = plannedAt
        self.token = token
        self.keepBody = keepBody
        self.limits = limits
    }
}

/// One request's limits of time and size, where they differ from the configuration's.
///
/// Trivial and seven bytes long: they fit beside a request's other fields, so limits cost a request no memory.
package struct TransferLimits: Sendable, Equatable {
    // Hundredths of a second; zero stands for the configuration's timeout.
    private var connect: UInt16 = 0
    private var firstByte: UInt16 = 0
    private var total: UInt16 = 0
    /// Four bits of exponent, four of mantissa, plus one; zero stands for the configuration's limit.
    private var body: UInt8 = 0

    private static let unit: Int64 = 10_000_000

    /// The configuration's limits.
    package static let configured = TransferLimits()

    private init() {}

    /// nil leaves a limit to the configuration.
    ///
    /// Times count in hundredths of a second, rounded up, at most 655 seconds. `bodyBytes` limits the decoded body, rounded up
    /// by a sixteenth at most; 1 KiB is the least, and more than 60 MiB is left to the configuration.
    package init(connect: Duration?, firstByte: Duration?, total: Duration?, bodyBytes: Int? = nil) {
        self.connect = Self.units(connect)
        self.firstByte = Self.units(firstByte)
        self.total = Self.units(total)
        body = bodyBytes.flatMap(Self.code) ?? 0
    }

    private static func code(_ bytes: Int) -> UInt8? { (UInt8(1)...UInt8.max).first { size($0) >= bytes } }

    private static func size(_ code: UInt8) -> Int {
        let bits = Int(code) - 1
        return (16 + bits & 15) << (6 + bits >> 4)
    }

    /// Limit of the decoded body.
    @inline(__always)
    package func bodyBytes(atMost configured: Int) -> Int {
        body == 0 ? configured : min(Self.size(body), configured)
    }

    private static func units(_ duration: Duration?) -> UInt16 {
        guard let duration else { return 0 }
        let (whole, rest) = max(0, duration.nanosecondsHeld).quotientAndRemainder(dividingBy: unit)
        return UInt16(clamping: max(1, whole + (rest == 0 ? 0 : 1)))
    }

    /// The timeout in effect, in nanoseconds.
    @inline(__always)
    package func connectTimeout(otherwise configured: Int64) -> Int64 {
        connect == 0 ? configured : Int64(connect) &* Self.unit
    }

    @inline(__always)
    package func firstByteTimeout(otherwise configured: Int64) -> Int64 {
        firstByte == 0 ? configured : Int64(firstByte) &* Self.unit
    }

    @inline(__always)
    package func totalTimeout(otherwise configured: Int64) -> Int64 {
        total == 0 ? configured : Int64(total) &* Self.unit
    }

    /// The shortest of those set, in nanoseconds; nil where all are the configuration's.
    var least: Int64? {
        guard connect | firstByte | total != 0 else { return nil }
        return [connect, firstByte, total].filter { $0 > 0 }.min().map { Int64($0) &* Self.unit }
    }
}
