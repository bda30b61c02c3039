import Chance
import Transport

/// Which requests carry a `traceparent`, and with what ids: both follow from the seed, the viewer and the request's
/// number.
struct RequestTracing {
    /// Of 53 bits; 0 for none.
    private let threshold: UInt64
    private let seed: UInt64

    /// - Parameters:
    ///   - share: Of all requests, from 0 to 1.
    ///   - seed: The run's.
    init(share: Double, seed: UInt64) {
        threshold = UInt64(max(0, min(share, 1)) * 0x1p53)
        self.seed = seed
    }

    /// Whether any request carries one.
    @inline(__always)
    var isOn: Bool { threshold > 0 }

    /// Whether a request is one of the share.
    ///
    /// - Parameters:
    ///   - number: Of the request among those of the viewer, from 1.
    ///   - viewer: The viewer's number.
    /// - Returns: The same for the same seed.
    func chooses(_ number: UInt32, ofViewer viewer: Int) -> Bool {
        var numbers = numbers(number, viewer)
        return numbers.next() >> 11 < threshold
    }

    /// What a request carries.
    func context(_ number: UInt32, ofViewer viewer: Int) -> TraceContext {
        var numbers = numbers(number, viewer)
        // The first decided whether it is carried.
        _ = numbers.next()
        return TraceContext(traceHigh: numbers.next(), traceLow: numbers.next(), parent: numbers.next())
    }

    private func numbers(_ number: UInt32, _ viewer: Int) -> SplitMix64 {
        let ofViewer = seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03
        return SplitMix64(seed: ofViewer ^ UInt64(number) &* 0x9FB2_1C65_1E98_DF25)
    }
}
