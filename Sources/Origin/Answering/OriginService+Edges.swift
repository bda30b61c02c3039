import HTTPTypes

extension OriginService {
    /// Redirect of the multivariant playlist to another name of this host; nil without one.
    ///
    /// Its path has no mark, which relative addresses would repeat.
    func onwardMultivariant(_ exchange: Exchange) -> Answer? {
        guard configuration.redirectsMultivariant, !isOtherEdge(exchange.authority) else { return nil }
        return .redirect(to: otherBase(exchange) + exchange.target)
    }

    /// Whether a request reached the name that the multivariant playlist redirects to.
    func isOtherEdge(_ authority: String?) -> Bool {
        configuration.redirectsMultivariant && (authority?.hasPrefix("localhost") ?? false)
    }
}
