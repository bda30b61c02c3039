import Transport
import Values

/// Chooses the requests with a `traceparent` and its ids by the seed, the viewer and the request's number.
struct RequestTracing {
    /// A number of 53 bits; 0 traces no request.
    private let threshold: UInt64
    private let seed: UInt64

    init(share: Double, seed: UInt64) {
        threshold = UInt64(max(0, min(share, 1)) * 0x1p53)
        self.seed = seed
    }

    @inline(__always)
    var isOn: Bool { threshold > 0 }

    /// Whether a request, numbered from 1 for each viewer, belongs to the share; equal seeds choose alike.
    func chooses(_ number: UInt32, ofViewer viewer: Int) -> Bool {
        var numbers = numbers(number, viewer)
        return numbers.next() >> 11 < threshold
    }

    func context(_ number: UInt32, ofViewer viewer: Int) -> TraceContext {
        var numbers = numbers(number, viewer)
        // `chooses` used the first number.
        _ = numbers.next()
        return TraceContext(traceHigh: numbers.next(), traceLow: numbers.next(), parent: numbers.next())
    }

    private func numbers(_ number: UInt32, _ viewer: Int) -> SplitMix64 {
        let ofViewer = seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03
        return SplitMix64(seed: ofViewer ^ UInt64(number) &* 0x9FB2_1C65_1E98_DF25)
    }
}
