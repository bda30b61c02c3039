import Destinations

/// A request on its way, whatever connection it is on.
struct CarriedTransfer {
    let request: TransferRequest
    /// What a redirect made of the request; nil before the first.
    private var redirected: PreparedRequest?
    var history = TransferHistory()

    /// What is asked now.
    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest) {
        self.request = request
    }

    /// Follows a redirect.
    ///
    /// - Parameters:
    ///   - location: As the answer names it, absolute or relative to what was asked.
    ///   - status: Of the answer: it decides about the method.
    /// - Returns: The transfer on its next hop; nil where the place cannot be told.
    func redirected(to location: String, status: Int) -> CarriedTransfer? {
        guard let url = RequestTarget.resolve(location, against: hop.url) else { return nil }
        let nextHop = hop.redirected(to: url, status: status)
        var next = self
        next.redirected = nextHop
        next.history.redirects += 1
        if nextHop.target?.host != hop.target?.host { next.history.leftHost = true }
        return next
    }
}
