package import HTTPTypes
package import NIOCore
package import Transport

extension ServedRequest: OriginRequest {
    package func wholeBody() async throws -> ByteBuffer? {
        do {
            return try await body()
        } catch is BodyTooLarge {
            return nil
        }
    }

    package func send(_ response: HTTPResponse, part: ByteBuffer) async throws {
        try await begin(response)
        try await write(part)
    }
}
