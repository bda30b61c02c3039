/// Eyevinn's open-source guided proxy (github.com/Eyevinn/sgai-ad-proxy): a proxy in front of a channel puts in
/// interstitials, whose lists it makes of VAST answers.
///
/// Viewers need no session: the proxy tells them apart by `_HLS_primary_id`.
package struct EyevinnProxyTarget: Hashable, Sendable {
    /// The proxied multivariant playlist.
    package var master: String
    /// Added to the master's query, from where the proxy passes them on to the ad server; values may hold `{viewer}` and
    /// `{primary_id}`.
    package var parameters: [String: String]

    package init(master: String, parameters: [String: String] = [:]) {
        self.master = master
        self.parameters = parameters
    }

    package func masterURL(of viewer: ViewerIdentity) -> String {
        guard !parameters.isEmpty else { return master }
        let query = parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(viewer.filled(value)))"
        }
        return master + (master.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }
}
