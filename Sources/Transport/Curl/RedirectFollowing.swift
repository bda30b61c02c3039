import CCurl
import Rules
import Values

// Redirects are followed here and not by libcurl, so that each hop is checked before anything is sent to it.

extension CurlCarrier {
    func redirect(_ transfer: Transfer, status: Int, at now: Instant) -> Redirection {
        guard configuration.maximumRedirects > 0, let request = transfer.request else { return .none }
        var text: UnsafePointer<CChar>?
        guard podswarm_get_string(transfer.easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK, let text else {
            return .none
        }
        let url = String(cString: text)
        guard Int(transfer.history.redirects) < configuration.maximumRedirects else { return .refused(.redirectLimit) }
        // A body may go only to hosts that the profile's headers are for.
        let keepsBody = request.request.body != nil && !Redirection.becomesGet(status)
        guard let target = RequestTarget(url: url), configuration.authorisedHosts.permits(target),
            !keepsBody || configuration.authorisedHosts.areHeadersFor(target)
        else { return .refused(.unauthorisedHost) }
        guard set(transfer, request.request, url: url, target: target, status: status) else {
            return .refused(.localResources)
        }
        transfer.beginNextHop(leavingHost: request.request.target?.host != target.host)
        add(transfer, at: now)
        return .followed
    }

    private func set(
        _ transfer: Transfer,
        _ request: PreparedRequest,
        url: String,
        target: RequestTarget,
        status: Int
    ) -> Bool {
        let easy = transfer.easy
        // The handle no longer matches the prepared request; the request itself stays alive in `request`.
        transfer.configured = nil
        var codes = podswarm_set_string(easy, CURLOPT_URL, url).rawValue
        if Redirection.becomesGet(status) { codes |= podswarm_set_long(easy, CURLOPT_HTTPGET, 1).rawValue }
        if request.target?.hasSameOrigin(as: target) != true {
            let lists = request.keepHeaders()?.curlForm
            let takesOwn = configuration.authorisedHosts.areHeadersFor(target)
            let list = takesOwn ? lists?.withoutCredentials : lists?.forAnybody
            codes |= podswarm_set_list(easy, CURLOPT_HTTPHEADER, list).rawValue
        }
        codes |= beginVersion(transfer, target: target)
        return codes == CURLE_OK.rawValue
    }
}
