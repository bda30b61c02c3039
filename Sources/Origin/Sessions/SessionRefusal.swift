import HTTPTypes

extension SessionRegistry {
    /// 400 without a stream id, 404 for an unknown one, 410 for one that has expired; nil for a valid one.
    func refusal(of exchange: Exchange) -> Answer? {
        guard let streamID = exchange.streamID else { return .empty(.badRequest) }
        switch noteRequest(streamID, at: exchange.now) {
        case .active: return nil
        case .expired: return .empty(.gone)
        case .unknown: return .empty(.notFound)
        }
    }
}
