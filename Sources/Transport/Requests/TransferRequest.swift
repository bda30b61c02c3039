package import Values

package struct TransferRequest {
    package var request: PreparedRequest
    package var owner: ConnectionOwner
    package var plannedAt: Instant
    package var token: UInt64
    package var limits: TransferLimits
    /// False only counts bytes.
    package var keepBody: Bool

    package init(
        _ request: PreparedRequest,
        owner: ConnectionOwner,
        plannedAt: Instant,
        token: UInt64,
        keepBody: Bool = true,
        limits: TransferLimits = .configured
    ) {
        (self.request, self.owner, self.plannedAt) = (request, owner, plannedAt)
        (self.token, self.keepBody, self.limits) = (token, keepBody, limits)
    }
}

/// nil limits are the configuration's; seven bytes cost a request no memory beside its other fields.
package struct TransferLimits: Sendable, Equatable {
    // Hundredths of a second; zero for the configuration's.
    private var connect: UInt16 = 0
    private var firstByte: UInt16 = 0
    private var total: UInt16 = 0
    /// Four bits of exponent, four of mantissa, plus one; zero for the configuration's.
    private var body: UInt8 = 0

    private static let unit: Int64 = 10_000_000

    package static let configured = TransferLimits()

    private init() {}

    /// Times are rounded up to hundredths of a second, at most 655 seconds; `bodyBytes`, at least 1 KiB, is rounded up by a
    /// sixteenth at most; more than 60 MiB is left to the configuration.
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

    @inline(__always)
    package func bodyBytes(atMost configured: Int) -> Int {
        body == 0 ? configured : min(Self.size(body), configured)
    }

    private static func units(_ duration: Duration?) -> UInt16 {
        guard let duration else { return 0 }
        let (whole, rest) = max(0, duration.nanosecondsHeld).quotientAndRemainder(dividingBy: unit)
        return UInt16(clamping: max(1, whole + (rest == 0 ? 0 : 1)))
    }

    /// In nanoseconds, as the other timeouts.
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

    /// In nanoseconds; nil where all are the configuration's.
    var least: Int64? {
        guard connect | firstByte | total != 0 else { return nil }
        return [connect, firstByte, total].filter { $0 > 0 }.min().map { Int64($0) &* Self.unit }
    }
}
