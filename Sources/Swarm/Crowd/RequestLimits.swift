import Profile
import Transport
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
