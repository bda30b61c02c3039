import Audience
import LoadProfile
import Players
import Transport

/// How long each persona waits for what, and how long answers may be, looked up by number for each request.
struct RequestLimits {
    /// By persona, then by role; empty where nobody waits otherwise than the connection says.
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

    /// The limits of one request.
    @inline(__always)
    subscript(persona: UInt8, role: ViewerRole) -> TransferLimits {
        guard !limits.isEmpty else { return .configured }
        return limits[Int(persona) * ViewerRole.allCases.count + Int(role.rawValue)]
    }

    /// The longest that any request may take where the configuration's total is the one given, in nanoseconds.
    func greatestTotal(otherwise configured: Int64) -> Int64 {
        limits.reduce(configured) { max($0, $1.totalTimeout(otherwise: configured)) }
    }
}

extension BodyLimits {
    /// Nil for what is counted and not kept.
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
