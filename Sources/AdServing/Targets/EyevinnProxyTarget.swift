import Values

/// Eyevinn's open-source guided proxy (github.com/Eyevinn/sgai-ad-proxy): it adds interstitials to a channel, with lists made
/// from VAST answers.
///
/// Viewers need no session: the proxy distinguishes them by `_HLS_primary_id`.
package struct EyevinnProxyTarget: Hashable, Sendable {
    package var master: String
    /// Added to the master's query, which the proxy passes on to the ad server; values may contain `{viewer}` and
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
