import Profile
import Transport
import Values
import Viewer

struct RequestLimits {
    /// Ordered by persona, then by role; empty where every persona uses the connection's limits.
    private let limits: ContiguousArray<TransferLimits>

    init(_ personas: [PersonaShare], _ bodies: BodyLimits = .usual) {
        var limits: ContiguousArray<TransferLimits> = []
        for part in personas {
            for role in ViewerRole.allCases {
                let rule = part.persona.requests.rule(for: role)
                limits.append(
                    TransferLimits(
                        connect: rule?.connect,
                        firstByte: rule?.firstByte,
                        total: rule?.total,
                        bodyBytes: bodies.bytes(for: role)
                    )
                )
            }
        }
        self.limits = limits.allSatisfy { $0 == .configured } ? [] : limits
    }

    @inline(__always)
    subscript(persona: UInt8, role: ViewerRole) -> TransferLimits {
        guard !limits.isEmpty else { return .configured }
        return limits[Int(persona) * ViewerRole.allCases.count + Int(role.rawValue)]
    }

    /// The longest total timeout of any request, in nanoseconds.
    func greatestTotal(otherwise configured: Int64) -> Int64 {
        limits.reduce(configured) { max($0, $1.totalTimeout(otherwise: configured)) }
    }
}

extension BodyLimits {
    /// nil for bodies that are counted and not kept.
    fileprivate func bytes(for role: ViewerRole) -> Int? {
        switch role {
        case .registration: registration
        case .multivariant: multivariant
        case .playlist, .blockingPlaylist: playlist
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .assetManifest: pod
        case .metadata: metadata
        case .assetList: assetList
        case .steering: steering
        case .segment, .podSegment, .part, .verification, .beacon, .sessionUpdate: nil
        }
    }
}

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
