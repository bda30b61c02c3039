package import Profile
package import Rules
package import Transport
package import Values

/// Requests outside of any run, over one loop and connections of their own, any number at once.
///
/// Must be shut down before it is released.
package final class FetchSession: Sendable {
    private let loop: EventLoop
    private let fetches: Fetches

    /// Sends nothing yet; throws a harness failure, such as an unreadable file of authorities.
    package init(_ configuration: TransportConfiguration) async throws {
        let loop = try EventLoop(label: "podswarm.fetch", index: 0)
        do {
            fetches = try await withCheckedThrowingContinuation { continuation in
                loop.execute {
                    continuation.resume(with: Result { try Fetches(loop: loop, configuration: configuration) })
                }
            }
        } catch {
            loop.shutDown {}
            throw error
        }
        self.loop = loop
    }

    /// Prepares requests that no viewer of a plan makes; throws as ``init(_:)``.
    ///
    /// `caFile` is a PEM file of authorities, nil for the system's. `timeout` limits the connect and an answer's first byte; a
    /// whole answer may take three times as long. `largestBody` counts decoded bytes.
    package convenience init(
        asking hosts: AuthorisedHosts,
        caFile: String?,
        verifiesTLS: Bool = true,
        timeout: Duration,
        largestBody: Int
    ) async throws {
        var configuration = TransportConfiguration()
        configuration.authorisedHosts = hosts
        configuration.verifyTLS = verifiesTLS
        configuration.caFile = caFile
        configuration.connectTimeout = timeout
        configuration.firstByteTimeout = timeout
        configuration.totalTimeout = timeout * 3
        configuration.maximumBodyBytes = largestBody
        try await self.init(configuration)
    }

    /// Sends a GET, over an open connection if there is one; an unauthorised URL gives a failure, invalid headers are left out.
    package func get(_ url: String, headers: [(name: String, value: String)] = []) async -> SingleFetch.Answer {
        await withCheckedContinuation { continuation in
            loop.execute { [fetches] in
                fetches.start(.get, url, headers: headers) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Sends a PUT, as ``get(_:headers:)``.
    package func put(
        _ body: [UInt8],
        to url: String,
        headers: [(name: String, value: String)] = []
    ) async -> SingleFetch.Answer {
        await withCheckedContinuation { continuation in
            loop.execute { [fetches] in
                fetches.start(.put, url, headers: headers, body: body) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Closes all connections; open requests end as abandoned, later ones get no answer.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            loop.execute { [fetches] in fetches.shutDown { continuation.resume() } }
        }
        await withCheckedContinuation { continuation in
            loop.shutDown { continuation.resume() }
        }
    }
}

/// The transport of a session, and the continuations of its requests.
///
/// `@unchecked Sendable`: made and used on its loop only, which the transport checks.
private final class Fetches: TransferHandler, @unchecked Sendable {
    private let transport: HTTPTransport
    private let owner: ConnectionOwner
    private var waiting: [UInt64: @Sendable (SingleFetch.Answer) -> Void] = [:]
    private var nextToken: UInt64 = 0

    init(loop: EventLoop, configuration: TransportConfiguration) throws {
        transport = try HTTPTransport(loop: loop, configuration: configuration, expectedOwners: 1)
        owner = transport.makeOwner(sourceAddressIndex: 0)
    }

    func start(
        _ method: PreparedRequest.Method,
        _ url: String,
        headers: [(name: String, value: String)],
        body: [UInt8]? = nil,
        done: @escaping @Sendable (SingleFetch.Answer) -> Void
    ) {
        transport.handler = self
        nextToken &+= 1
        waiting[nextToken] = done
        transport.start(
            TransferRequest(
                PreparedRequest(method, url: url, headers: headers.isEmpty ? nil : HeaderList(headers), body: body),
                owner: owner,
                plannedAt: MonotonicClock.now(),
                token: nextToken
            )
        )
    }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let answer = SingleFetch.Answer(
            failure: result.failure,
            status: result.status,
            body: Array(result.body),
            url: result.url,
            redirects: result.redirects,
            leftHost: result.leftHost,
            location: result.header("location"),
            contentType: result.header("content-type"),
            contentEncoding: result.header("content-encoding"),
            entityTag: result.header("etag"),
            placeTime: result.header("podswarm-time-us"),
            flaws: result.flaws,
            contentLength: result.header("content-length"),
            transferEncoding: result.header("transfer-encoding"),
            startedAt: result.plannedAt,
            doneAt: result.doneAt
        )
        waiting.removeValue(forKey: token)?(answer)
    }

    func shutDown(_ done: @escaping () -> Void) {
        transport.shutDown(done)
    }
}

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
        /// Number of redirects that were followed.
        package var redirects: Int
        /// Whether a redirect led to another host.
        package var leftHost: Bool
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
