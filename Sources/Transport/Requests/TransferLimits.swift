import Time

/// How long one request may take, and its answer be, where that is not what the configuration says.
///
/// Trivial and seven bytes long: they fit beside what a request holds anyway, so limits cost a request no memory.
package struct TransferLimits: Sendable, Equatable {
    // Hundredths of a second; zero stands for the configuration's timeout.
    private var connect: UInt16 = 0
    private var firstByte: UInt16 = 0
    private var total: UInt16 = 0
    /// Four bits of exponent, four of mantissa, and one more than these; zero stands for the configuration's.
    private var body: UInt8 = 0

    private static let unit: Int64 = 10_000_000

    /// The configuration's.
    package static let configured = TransferLimits()

    private init() {}

    /// Takes what is given, and leaves the rest to the configuration.
    ///
    /// What is given counts in hundredths of a second, rounded up, at most 655 seconds.
    /// - Parameters:
    ///   - connect: As `TransportConfiguration.connectTimeout`.
    ///   - firstByte: As `TransportConfiguration.firstByteTimeout`.
    ///   - total: As `TransportConfiguration.totalTimeout`.
    ///   - bodyBytes: Greatest decoded body, rounded up by a sixteenth at most; 1 KiB is the least, and what is more
    ///     than 60 MiB is left to the configuration.
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

    /// The greatest decoded body, in bytes.
    @inline(__always)
    package func bodyBytes(atMost configured: Int) -> Int {
        body == 0 ? configured : min(Self.size(body), configured)
    }

    private static func units(_ duration: Duration?) -> UInt16 {
        guard let duration else { return 0 }
        let (whole, rest) = max(0, duration.nanosecondsHeld).quotientAndRemainder(dividingBy: unit)
        return UInt16(clamping: max(1, whole + (rest == 0 ? 0 : 1)))
    }

    /// The limit that holds, in nanoseconds, where the configuration's is the one given.
    @inline(__always)
    package func connectTimeout(otherwise configured: Int64) -> Int64 {
        connect == 0 ? configured : Int64(connect) &* Self.unit
    }

    /// As `connectTimeout`.
    @inline(__always)
    package func firstByteTimeout(otherwise configured: Int64) -> Int64 {
        firstByte == 0 ? configured : Int64(firstByte) &* Self.unit
    }

    /// As `connectTimeout`.
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
