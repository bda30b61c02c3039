package import Audience
package import Time
package import Transport

/// A target in the process of its viewers, which answers at whatever instant it is asked.
package protocol VirtualTarget: AnyObject {
    /// What a request comes to; requests are asked in the order of their instants.
    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer
}

/// A request as a virtual target takes it.
package struct VirtualRequest {
    package let role: ViewerRole
    package let request: PreparedRequest
    /// The number of the viewer who asks.
    package let viewer: Int
    /// Whose place the viewer has in the crowd; somebody else may have it later.
    package let seat: Int
}

/// What a virtual target answers, redirects followed.
package protocol VirtualAnswer {
    var status: Int { get }
    /// After redirects.
    var url: String { get }
    var redirects: Int { get }
    /// By name in lower case.
    var headers: [String: String] { get }
    /// When the answer leaves: later than it was asked for where the target holds it back.
    var releasedAt: WallTime { get }

    /// Hands over the body as it is before it is compressed, for the time of the call.
    func readBody(_ take: (UnsafeRawBufferPointer) -> Void)
}
