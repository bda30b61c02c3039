import HTTPTypes

extension OriginService {
    /// The redirect of the multivariant playlist to another name of this host; nil where there is none.
    ///
    /// Without a mark in its path, which relative addresses would carry on.
    func onwardMultivariant(_ exchange: Exchange) -> Answer? {
        guard configuration.redirectsMultivariant, !isOtherEdge(exchange.authority) else { return nil }
        var answer = Answer.empty(.found)
        answer.fields[.location] = otherBase(exchange) + exchange.target
        return answer
    }

    /// Whether a request reached the name that the multivariant playlist was redirected to.
    func isOtherEdge(_ authority: String?) -> Bool {
        configuration.redirectsMultivariant && (authority?.hasPrefix("localhost") ?? false)
    }
}
