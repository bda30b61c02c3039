package import Audience
package import Rulebook
package import Time
package import Transport

/// A target in the process of its viewers, which answers at whatever instant it is asked.
package protocol VirtualTarget: AnyObject {
    /// Answers a request; requests come in the order of their instants.
    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer

    /// Told that a connection is closed, by whichever side.
    func closed(_ connection: VirtualConnection)
}

extension VirtualTarget {
    package func closed(_ connection: VirtualConnection) {}
}

/// What stands for a viewer's connection where there are no sockets: it carries all that the viewer asks for until it is
/// closed.
package final class VirtualConnection {}

/// A request as a virtual target takes it.
package struct VirtualRequest {
    package let role: ViewerRole
    package let request: PreparedRequest
    /// The number of the viewer who asks.
    package let viewer: Int
    /// Seat of the viewer; seats are used again.
    package let seat: Int
    package let connection: VirtualConnection
    /// The shortest of its timeouts, in nanoseconds.
    package let timeout: Int64
}

/// What a virtual target answers, redirects followed.
package protocol VirtualAnswer {
    /// Why there is no whole answer; nil where there is one.
    var failure: TransportFailure? { get }
    /// Bytes of the body that arrive all the same.
    var partialBytes: Int { get }
    /// 0 where nothing was answered.
    var status: Int { get }
    /// After redirects.
    var url: String { get }
    var redirects: Int { get }
    /// Whether a redirect led to a host of another name.
    var leftHost: Bool { get }
    /// What cannot be right of the body's framing.
    var flaws: AnswerFlaws { get }
    /// By name in lower case.
    var headers: [String: String] { get }
    /// Address and port that answered; empty where that is not told.
    var address: String { get }
    /// When the answer leaves: later than it was asked for where the target holds it back.
    var releasedAt: WallTime { get }

    /// Hands over the body, coded as the headers say, for the time of the call.
    func readBody(_ take: (UnsafeRawBufferPointer) -> Void)
}

extension VirtualAnswer {
    package var failure: TransportFailure? { nil }
    package var partialBytes: Int { 0 }
    package var leftHost: Bool { false }
    package var flaws: AnswerFlaws { [] }
    package var address: String { "" }
}
