package import Destinations
import EventLoop
package import Transport

/// Requests outside of any run, over one loop and connections of their own, as many at once as are asked for.
///
/// It must be shut down before it is let go.
package final class FetchSession: Sendable {
    private let loop: EventLoop
    private let fetches: Fetches

    /// Makes ready to ask; nothing is sent yet.
    ///
    /// - Parameter configuration: Where requests may go, and how.
    /// - Throws: A harness failure, such as a file of authorities that cannot be read.
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

    /// Makes ready to look at a stream as no viewer of a plan does.
    ///
    /// - Parameters:
    ///   - hosts: Where requests may go, and who is sent their headers.
    ///   - caFile: PEM file of authorities to trust; nil for the system's.
    ///   - verifiesTLS: Whether certificates are verified.
    ///   - timeout: For a connection and for an answer's first byte; a whole answer may take three times as long.
    ///   - largestBody: In bytes, decoded.
    /// - Throws: As of ``init(_:)``.
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

    /// Asks once; connections that are open are used again.
    ///
    /// - Parameters:
    ///   - url: An http or https URL; one that may not be asked is answered with a failure.
    ///   - headers: Names and values to send; those that are none are left out.
    /// - Returns: What came back.
    package func get(_ url: String, headers: [(name: String, value: String)] = []) async -> SingleFetch.Answer {
        await withCheckedContinuation { continuation in
            loop.execute { [fetches] in
                fetches.start(.get, url, headers: headers) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Sends something to be kept under a URL.
    ///
    /// - Parameters:
    ///   - body: What.
    ///   - url: As of ``get(_:headers:)``.
    ///   - headers: Likewise.
    /// - Returns: What came back.
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

    /// Closes all connections; requests under way are answered as abandoned, later ones never.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            loop.execute { [fetches] in fetches.shutDown { continuation.resume() } }
        }
        await withCheckedContinuation { continuation in
            loop.shutDown { continuation.resume() }
        }
    }
}

/// The transport of a session, and who waits for its answers.
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
            url: result.effectiveURL,
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
