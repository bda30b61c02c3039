struct CarriedTransfer {
    let request: TransferRequest
    /// The request of the present hop; nil before the first redirect.
    private var redirected: PreparedRequest?
    var history = TransferHistory()

    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest) {
        self.request = request
    }

    /// The transfer on its next hop; nil where `location` is invalid.
    ///
    /// `location` may be absolute or relative to the present URL. `status` decides about the method.
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
