package import Destinations
package import LoadProfile
package import Rulebook
package import Time
import Transport

/// One request outside of any run: is the target there, and what does its ground truth say.
package enum SingleFetch {
    /// Name and version of the library that carries requests.
    package static var libraryVersion: String { HTTPTransport.libraryVersion }

    /// What came back.
    package struct Answer: Sendable {
        /// nil when an answer came, whatever its status.
        package var failure: TransportFailure?
        package var status: Int
        /// Decoded.
        package var body: [UInt8]
        /// The URL that was asked last, after redirects; not redacted.
        package var url: String
        /// Location of the last answer: where a redirect leads that was not followed; not redacted.
        package var location: String?
        package var contentType: String?
        package var contentEncoding: String?
        /// ETag, by which a later request asks whether anything changed.
        package var entityTag: String?
        /// podswarm-time-us: what the clock of a rendezvous said.
        package var placeTime: String?
        /// What the answer says of its body that cannot be right.
        package var flaws: AnswerFlaws
        /// Content-Length, the last one where there are several.
        package var contentLength: String?
        package var transferEncoding: String?
        package var startedAt: Instant
        package var doneAt: Instant

        /// The stable code of the failure, as results spell it; nil when an answer came.
        package var failureCode: String? { failure?.code }

        /// True for an answer with a status of 200 to 299.
        package var isSuccess: Bool { failure == nil && (200..<300).contains(status) }
    }

    /// Asks once over a connection of its own, with the plan's TLS settings and time limits.
    ///
    /// - Parameters:
    ///   - url: As of ``FetchSession/get(_:headers:)``.
    ///   - headers: Likewise.
    ///   - connection: The plan's.
    ///   - authorisedHosts: Where requests may go, and who is sent their headers.
    /// - Returns: What came back.
    /// - Throws: A harness failure, never one of the target.
    package static func get(
        _ url: String,
        headers: [(name: String, value: String)] = [],
        connection: ConnectionPlan,
        authorisedHosts: AuthorisedHosts
    ) async throws -> Answer {
        let session = try await FetchSession(TransportConfiguration(connection, permitting: authorisedHosts))
        let answer = await session.get(url, headers: headers)
        await session.shutDown()
        return answer
    }
}
