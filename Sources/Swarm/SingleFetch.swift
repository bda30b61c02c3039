package import Profile
package import Rules
package import Transport
package import Values

/// One request outside of any run: for a target's availability, or its ground truth.
package enum SingleFetch {
    package static var libraryVersion: String { HTTPTransport.libraryVersion }

    package struct Answer: Sendable {
        /// nil when an answer came, whatever its status.
        package var failure: TransportFailure?
        package var status: Int
        /// Decoded.
        package var body: [UInt8]
        /// The URL of the last hop; not redacted.
        package var url: String
        /// Location of the last answer, for a redirect that was not followed; not redacted.
        package var location: String?
        package var contentType: String?
        package var contentEncoding: String?
        /// ETag.
        package var entityTag: String?
        /// podswarm-time-us: the clock of a rendezvous.
        package var placeTime: String?
        /// Contradictions in the answer's description of its body.
        package var flaws: AnswerFlaws
        /// Content-Length, the last one where there are several.
        package var contentLength: String?
        package var transferEncoding: String?
        package var startedAt: Instant
        package var doneAt: Instant

        package var failureCode: String? { failure?.code }

        package var isSuccess: Bool { failure == nil && (200..<300).contains(status) }
    }

    /// Sends a GET over a connection of its own; throws a harness failure, never one of the target.
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
