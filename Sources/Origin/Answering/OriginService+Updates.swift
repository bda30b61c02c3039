import AdServing
import HTTPTypes
import NIOCore
import Profile

extension OriginService {
    func update(_ exchange: Exchange, body: ByteBuffer, isJSON: Bool) -> Answer {
        if let refusal = sessions.refusal(of: exchange) { return refusal }
        guard let streamID = exchange.streamID, let fields = RegistrationBody.fields(body, isJSON: isJSON) else {
            return .empty(.badRequest)
        }
        if let number = exchange.viewerNumber { told.came(.update, from: number) { fields[$0] } }
        if let value = configuration.aimingParameter.flatMap({ fields[$0] }) {
            sessions.aim(PodAim(value: value), session: streamID)
        }
        return .empty(.ok)
    }
}
