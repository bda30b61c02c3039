package import Values

package struct TransferRequest {
    package typealias Method = PreparedRequest.Method

    package var request: PreparedRequest
    package var owner: ConnectionOwner
    /// When it should be sent; repeated in the result.
    package var plannedAt: Instant
    /// Passed to the handler unchanged.
    package var token: UInt64
    package var limits: TransferLimits
    /// Whether the body is kept until the handler has seen it; false counts its bytes only.
    package var keepBody: Bool

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
