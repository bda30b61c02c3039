import Audience
import LoadProfile
import Transport

/// How long each persona waits for what, looked up by number for each request.
struct RequestLimits {
    /// By persona, then by role; empty where nobody waits otherwise than the connection says.
    private let limits: ContiguousArray<TransferLimits>

    init(_ personas: [PersonaShare]) {
        var limits: ContiguousArray<TransferLimits> = []
        for part in personas {
            for role in ViewerRole.allCases {
                guard let rule = part.persona.requests.rule(for: role) else {
                    limits.append(.configured)
                    continue
                }
                limits.append(TransferLimits(connect: rule.connect, firstByte: rule.firstByte, total: rule.total))
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
}
