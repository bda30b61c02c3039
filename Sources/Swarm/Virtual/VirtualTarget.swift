package import Rules
package import Transport
package import Values
package import Viewer

/// A target in the process of its viewers, which answers at the virtual instant of the request.
package protocol VirtualTarget: AnyObject {
    /// Requests come in the order of their instants.
    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer

    func closed(_ connection: VirtualConnection)
}

extension VirtualTarget {
    package func closed(_ connection: VirtualConnection) {}
}

/// A viewer's connection without sockets: carries all requests of the viewer until it is closed.
package final class VirtualConnection {}

package struct VirtualRequest {
    package let role: ViewerRole
    package let request: PreparedRequest
    package let viewer: Int
    /// Seats are used again.
    package let seat: Int
    package let connection: VirtualConnection
    /// The shortest of its timeouts, in nanoseconds.
    package let timeout: Int64
}

/// The answer of a virtual target, redirects followed.
package protocol VirtualAnswer {
    /// nil for a whole answer.
    var failure: TransportFailure? { get }
    /// Bytes of the body that arrive in spite of a failure.
    var partialBytes: Int { get }
    /// 0 without an answer.
    var status: Int { get }
    /// After redirects.
    var url: String { get }
    var redirects: Int { get }
    var leftHost: Bool { get }
    var flaws: AnswerFlaws { get }
    /// The keys are in lower case.
    var headers: [String: String] { get }
    /// Address and port that answered; empty where unknown.
    var address: String { get }
    /// When the answer leaves: later than the request where the target delays it.
    var releasedAt: WallTime { get }

    /// Passes the body, coded as the headers say, valid during the call.
    func readBody(_ take: (UnsafeRawBufferPointer) -> Void)
}

extension VirtualAnswer {
    package var failure: TransportFailure? { nil }
    package var partialBytes: Int { 0 }
    package var leftHost: Bool { false }
    package var flaws: AnswerFlaws { [] }
    package var address: String { "" }
}
