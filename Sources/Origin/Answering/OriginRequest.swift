package import HTTPTypes
package import NIOCore

/// A request and the way to answer it.
///
/// Any task may use it, one call at a time; a thrown error ends its connection.
package protocol OriginRequest: Sendable {
    var head: HTTPRequest { get }
    var connection: any Channel { get }

    /// Nil for a body longer than `OriginResponder.maximumBodyBytes`.
    func wholeBody() async throws -> ByteBuffer?
    func send(_ response: HTTPResponse, _ body: ByteBuffer) async throws
    /// Sends the head and a part of the body that it announces, and returns once the system has taken both.
    func send(_ response: HTTPResponse, part: ByteBuffer) async throws
    func reset()
}
