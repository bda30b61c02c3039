package import Profile
package import Rules
package import Transport
package import Values

/// Cookies of requests outside of any run.
package enum CookieUse: Sendable {
    case ignored
    case kept
    /// Ignored until a request that was refused without them is answered with them.
    case tried
}

/// Requests outside of any run; must be shut down before it is released.
///
/// `@unchecked Sendable`: all but `loop` is used on that loop only, which the transport checks.
package final class FetchSession: TransferHandler, @unchecked Sendable {
    private struct Fetch {
        let request: PreparedRequest
        let headers: [(name: String, value: String)]
        let done: @Sendable (SingleFetch.Answer) -> Void
        var isSecond = false
    }

    private let loop: EventLoop
    private let transport: HTTPTransport
    private let owner: ConnectionOwner
    private var cookieUse: CookieUse
    private var jar = CookieJar()
    private var waiting: [UInt64: Fetch] = [:]
    private var nextToken: UInt64 = 0

    /// Throws a harness failure, such as an unreadable file of authorities.
    package static func open(
        _ configuration: TransportConfiguration,
        cookies: CookieUse = .ignored
    ) async throws -> FetchSession {
        let loop = try EventLoop(label: "podswarm.fetch")
        do {
            return try await withCheckedThrowingContinuation { continuation in
                loop.execute { continuation.resume(with: Result { try FetchSession(loop, configuration, cookies) }) }
            }
        } catch {
            loop.shutDown {}
            throw error
        }
    }

    private init(_ loop: EventLoop, _ configuration: TransportConfiguration, _ cookies: CookieUse) throws {
        self.loop = loop
        transport = try HTTPTransport(loop: loop, configuration: configuration, expectedOwners: 1)
        owner = transport.makeOwner(sourceAddressIndex: 0)
        cookieUse = cookies
    }

    /// An unauthorised URL gives a failure; invalid headers are omitted.
    package func send(
        _ method: PreparedRequest.Method = .get,
        _ body: [UInt8]? = nil,
        to url: String,
        headers: [(name: String, value: String)] = []
    ) async -> SingleFetch.Answer {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                transport.handler = self
                let cookies = cookieUse == .kept ? jar.field(for: url, now: now) : nil
                let list = headers.isEmpty && cookies == nil ? nil : HeaderList(headers, cookies: cookies)
                let request = PreparedRequest(method, url: url, headers: list, body: body)
                start(Fetch(request: request, headers: headers) { continuation.resume(returning: $0) })
            }
        }
    }

    private func start(_ fetch: Fetch) {
        nextToken &+= 1
        waiting[nextToken] = fetch
        transport.start(TransferRequest(fetch.request, owner: owner, plannedAt: MonotonicClock.now(), token: nextToken))
    }

    /// Open requests end as abandoned; later ones get no answer.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in transport.shutDown { continuation.resume() } }
        }
        await withCheckedContinuation { continuation in loop.shutDown { continuation.resume() } }
    }

    private var now: Int64 { MonotonicClock.wallMicroseconds() / 1_000_000 }

    package func redirected(to url: String, token: UInt64, after result: borrowing TransferResult) -> RedirectedViewer {
        keepCookies(of: result)
        return (cookieUse == .kept ? jar.field(for: url, now: now) : nil, false)
    }

    private func keepCookies(of result: borrowing TransferResult) {
        if cookieUse != .ignored { _ = jar.take(result, now: now) }
    }

    /// Sends a refused request again with the cookies that it lacked; false where there are none.
    private func repeats(_ fetch: Fetch, refusedWith result: borrowing TransferResult) -> Bool {
        let isRefused =
            result.failure == nil ? [400, 401, 403].contains(result.status) : result.failure == .redirectLimit
        guard isRefused, cookieUse == .tried, fetch.request.method == .get,
            let cookies = jar.field(for: fetch.request.url, now: now),
            let list = HeaderList(fetch.headers, cookies: cookies)
        else { return false }
        cookieUse = .kept
        let request = PreparedRequest(url: fetch.request.url, headers: list)
        start(Fetch(request: request, headers: fetch.headers, done: fetch.done, isSecond: true))
        return true
    }

    package func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        keepCookies(of: result)
        guard let fetch = waiting.removeValue(forKey: token), !repeats(fetch, refusedWith: result) else { return }
        if fetch.isSecond, !result.isSuccess { cookieUse = .tried }
        var headers: [String: String] = [:]
        for name in SingleFetch.Answer.keptHeaders { headers[name] = result.header(name) }
        let answer = SingleFetch.Answer(
            failure: result.failure,
            status: result.status,
            body: Array(result.body),
            url: result.url,
            redirects: result.redirects,
            leftHost: result.leftHost,
            headers: headers,
            flaws: result.flaws,
            startedAt: result.plannedAt,
            doneAt: result.doneAt,
            cookies: jar.names(for: result.url, now: now),
            neededCookies: fetch.isSecond && result.isSuccess
        )
        fetch.done(answer)
    }
}

/// One request outside of any run: for a target's availability, or its ground truth.
package enum SingleFetch {
    package struct Answer: Sendable {
        /// The clock of a rendezvous is `podswarm-time-us`.
        static let keptHeaders = [
            "location", "content-type", "content-encoding", "content-length", "transfer-encoding", "etag",
            "podswarm-time-us",
        ]

        /// nil when an answer came, whatever its status.
        package var failure: TransportFailure?
        package var status: Int
        /// Decoded.
        package var body: [UInt8]
        /// The last hop's; not redacted.
        package var url: String
        package var redirects: Int
        package var leftHost: Bool
        /// The last of each name in ``keptHeaders``; not redacted.
        package var headers: [String: String]
        /// Contradictions in the answer's description of its body.
        package var flaws: AnswerFlaws
        package var startedAt: Instant
        package var doneAt: Instant
        /// Names only; empty where cookies are ignored.
        package var cookies: [String]
        /// The request was refused without cookies.
        package var neededCookies: Bool

        package var failureCode: String? { failure?.code }

        package var isSuccess: Bool { failure == nil && (200..<300).contains(status) }
    }

    /// Throws a harness failure, never one of the target.
    package static func get(
        _ url: String,
        headers: [(name: String, value: String)] = [],
        connection: ConnectionPlan,
        authorisedHosts: AuthorisedHosts
    ) async throws -> Answer {
        let session = try await FetchSession.open(
            TransportConfiguration(connection, permitting: authorisedHosts),
            cookies: connection.keepsCookies ? .kept : .ignored
        )
        let answer = await session.send(to: url, headers: headers)
        await session.shutDown()
        return answer
    }
}
