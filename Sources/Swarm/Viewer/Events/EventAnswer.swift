package import AdServing
package import Measurement

/// What came of a request of an interstitial.
package struct EventAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        case segment
        case failed(EventLoadFailure)
    }

    package let role: ViewerRole
    /// Of the interstitial, as the request had it.
    package let serial: UInt16
    /// Of the asset; of an asset list, which attempt it was.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8, _ content: Content) {
        self.role = role
        self.serial = serial
        self.index = index
        self.content = content
    }
}

/// Why a request of an interstitial brought nothing that can be used.
package struct EventLoadFailure: Sendable, Equatable {
    /// What the break fails with where nothing follows.
    package var reason: BreakFailure
    package var isTimeout = false
    /// An answer of 400 to 499.
    package var isClientError = false
    /// Asking again would bring the same: an answer that cannot be used, or a host that may not be asked.
    package var isFinal = false

    package init(
        _ reason: BreakFailure,
        isTimeout: Bool = false,
        isClientError: Bool = false,
        isFinal: Bool = false
    ) {
        self.reason = reason
        self.isTimeout = isTimeout
        self.isClientError = isClientError
        self.isFinal = isFinal
    }

    /// Nothing came before the player's deadline: the break is lost, whatever comes later.
    static let timeout = EventLoadFailure(.deadlineMissed, isTimeout: true)
}
