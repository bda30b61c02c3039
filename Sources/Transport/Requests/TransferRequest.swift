package import Time

/// One request to be made for one owner.
package struct TransferRequest {
    package typealias Method = PreparedRequest.Method

    package var request: PreparedRequest
    /// Whose connections carry it.
    package var owner: ConnectionOwner
    /// When it should be sent; given back in the result.
    package var plannedAt: Instant
    /// Given back to the handler as it is.
    package var token: UInt64
    /// How long it may take, and its answer be.
    package var limits: TransferLimits
    /// Whether the body is kept until the handler has seen it; false counts its bytes only.
    package var keepBody: Bool

    /// Names a request prepared before: the way of everything that is asked more than once.
    package init(
        _ request: PreparedRequest,
        owner: ConnectionOwner,
        plannedAt: Instant,
        token: UInt64,
        keepBody: Bool = true,
        limits: TransferLimits = .configured
    ) {
        self.request = request
        self.owner = owner
        self.plannedAt = plannedAt
        self.token = token
        self.keepBody = keepBody
        self.limits = limits
    }
}
