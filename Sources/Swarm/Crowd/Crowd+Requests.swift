import Transport
import Values
import Viewer

extension Crowd {
    func start(
        _ role: ViewerRole,
        _ request: PreparedRequest,
        plannedAt: Instant,
        request number: UInt8 = 0,
        breakSerial: UInt16 = 0,
        keepsBody: Bool,
        _ viewer: ViewerSlot,
        index: Int
    ) {
        transport.start(
            TransferRequest(
                tracing.isOn ? traced(request, role, viewer) : request,
                owner: viewer.owner,
                plannedAt: plannedAt,
                token: CrowdToken(
                    index: index,
                    detail: role.rawValue,
                    breakSerial: breakSerial,
                    request: number
                ).rawValue,
                keepBody: keepsBody,
                limits: limits[viewer.machine.personaIndex, role]
            )
        )
    }
}
