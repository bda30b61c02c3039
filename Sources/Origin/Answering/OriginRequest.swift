package import HTTPTypes
package import NIOCore

/// A request that somebody carries, and the way back for its answer.
///
/// Any task may use it, one call at a time; what is thrown ends its connection.
package protocol OriginRequest: Sendable {
    var head: HTTPRequest { get }
    /// What it came on, which is told of as closed when the client has gone.
    var connection: any Channel { get }

    /// The body, once all of it has come; nil where it is longer than `OriginResponder.maximumBodyBytes`.
    func wholeBody() async throws -> ByteBuffer?
    /// Answers at once with a head and its body.
    func send(_ response: HTTPResponse, _ body: ByteBuffer) async throws
    /// Sends the head and a part of the body that it announces, and returns once the system has taken both.
    func send(_ response: HTTPResponse, part: ByteBuffer) async throws
    /// Ends the connection, or with HTTP/2 the stream, so that the client sees a reset.
    func reset()
}
