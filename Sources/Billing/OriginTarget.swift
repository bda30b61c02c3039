import AdServing
import Audience
package import Destinations
import HLS
package import Origin
import Rulebook
package import Swarm
package import Time
import Transport

/// The reference origin as a virtual run asks it: no socket, and no time but that of the run.
package final class OriginTarget: VirtualTarget {
    /// What came of a request.
    struct Fetched: VirtualAnswer {
        /// Nil for a host that is not the origin's: it takes what is sent and answers with nothing.
        var answer: DirectAnswer?
        /// After redirects.
        var url: String
        var redirects = 0
        var leftHost = false
        var sentBodyBytes = 0
        var partialBytes: Int { failure == .truncated ? sentBodyBytes : 0 }
        var releasedAt: WallTime
        var headers: [String: String] = [:]
        var failure: TransportFailure?
        var flaws = AnswerFlaws()
        var address = ""

        var status: Int { answer?.status ?? (failure == nil ? 204 : 0) }
        var isSuccess: Bool { (200..<300).contains(status) }

        func readBody(_ take: (UnsafeRawBufferPointer) -> Void) {
            guard let answer else { return take(UnsafeRawBufferPointer(start: nil, count: 0)) }
            answer.readBody(take)
        }
    }

    /// More sizes than any channel has segments at one time.
    private static let keptSizes = 4_096

    private let service: OriginService
    /// By both names of loopback: the multivariant playlist may be at the other one.
    private let names: [(base: String, authority: String)]
    private let acceptsGzip: Bool
    /// Hosts that may be asked, in a rehearsal; nil in a bill, where any may be and connections do not count.
    private let authorised: AuthorisedHosts?
    private let redirectLimit: Int
    private let ledger: BillLedger?
    /// Bodies that never change and whose content is not read, by URL.
    private var sizes: [String: Int] = [:]
    /// Playlists of the channel while its live edge stands, by URL: all viewers who ask for one get the same.
    private var playlists: [String: Fetched] = [:]
    private var edge: WallTime?

    /// For a bill: what was answered once is not asked for again.
    init(_ service: OriginService, at base: String, acceptsGzip: Bool, _ ledger: BillLedger) {
        self.service = service
        self.ledger = ledger
        names = Self.names(of: base)
        self.acceptsGzip = acceptsGzip
        (authorised, redirectLimit) = (nil, 5)
    }

    /// For a rehearsal: the origin learns of each request, whose it is and what it carries.
    ///
    /// - Parameters:
    ///   - service: The origin.
    ///   - base: Scheme, host and port under which it is asked.
    ///   - acceptsGzip: Whether compressed bodies are asked for.
    ///   - authorised: Where requests may go.
    ///   - redirectLimit: Redirects followed in a row.
    package init(
        _ service: OriginService,
        at base: String,
        acceptsGzip: Bool,
        authorised: AuthorisedHosts,
        redirectLimit: Int
    ) {
        self.service = service
        names = Self.names(of: base)
        self.acceptsGzip = acceptsGzip
        (self.authorised, self.redirectLimit) = (authorised, redirectLimit)
        ledger = nil
    }

    private static func names(of base: String) -> [(base: String, authority: String)] {
        [base, base.replacing("://127.0.0.1", with: "://localhost")].map { base in
            (base, base.firstRange(of: "://").map { String(base[$0.upperBound...]) } ?? base)
        }
    }

    package func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer {
        let fetched = fetch(request, at: now)
        ledger?.asked(request, bytes: fetched.sentBodyBytes, at: now)
        return fetched
    }

    package func closed(_ connection: VirtualConnection) { service.closed(connection) }

    /// Asks for a URL, and follows where it leads.
    private func fetch(_ asked: VirtualRequest, at now: WallTime) -> Fetched {
        let (role, url) = (asked.role, asked.request.url)
        if ledger != nil {
            if let size = sizes[url] {
                return Fetched(answer: nil, url: url, sentBodyBytes: size, releasedAt: now)
            }
            if role == .playlist, let known = knownPlaylist(url, at: now) { return known }
        }
        var fetched = Fetched(answer: nil, url: url, releasedAt: now)
        while let next = hop(asked, &fetched) {
            if let authorised, !authorised.permits(url: next) {
                fetched.failure = .unauthorisedHost
                return fetched
            }
            fetched.leftHost = fetched.leftHost || isOtherHost(next, fetched.url)
            fetched.url = next
            fetched.redirects += 1
        }
        guard ledger != nil else { return fetched }
        if role.keepsBody { fetched.headers = fetched.answer?.headers ?? [:] }
        keepSize(role, url, fetched, at: now)
        if role == .playlist, fetched.isSuccess, fetched.redirects == 0, fetched.releasedAt == now {
            if playlists.count >= Self.keptSizes { playlists.removeAll(keepingCapacity: true) }
            playlists[url] = fetched
        }
        return fetched
    }

    /// Asks for the URL as it is; where its answer leads, if anywhere.
    private func hop(_ asked: VirtualRequest, _ fetched: inout Fetched) -> String? {
        let request = asked.request
        if fetched.redirects == 0, let authorised, !authorised.permits(url: fetched.url) {
            fetched.failure = .unauthorisedHost
            return nil
        }
        guard let (authority, target) = place(of: fetched.url) else {
            (fetched.answer, fetched.headers, fetched.address, fetched.flaws) = (nil, [:], "", [])
            // No other server is there.
            if authorised != nil { fetched.failure = .connectRefused }
            return nil
        }
        // Players change the method at the redirects that they meet.
        let isFirst = fetched.redirects == 0
        let method: DirectRequest.Method =
            switch request.method {
            case .post where isFirst: .post
            case .put where isFirst: .put
            case .get, .post, .put: .get
            }
        let body = method == .get ? [] : request.body ?? []
        let answer = service.answer(
            DirectRequest(
                method,
                target: target,
                authority: authority,
                viewer: asked.viewer,
                fields: fields(of: request, hasBody: !body.isEmpty),
                body: body,
                connection: authorised == nil ? nil : asked.connection
            ),
            at: fetched.releasedAt,
            countsGzip: authorised == nil && acceptsGzip
        )
        fetched.answer = answer
        fetched.releasedAt = answer.releasedAt
        fetched.sentBodyBytes = answer.sentBodyBytes
        if authorised != nil {
            (fetched.address, fetched.headers) = (authority, answer.headers)
            fetched.flaws.formUnion(answer.flaws)
        }
        switch answer.arrival {
        case .whole: break
        case .reset: (fetched.failure, fetched.answer) = (.reset, nil)
        case .truncated: fetched.failure = .truncated
        }
        guard (300..<400).contains(answer.status), let location = answer.header("location") else { return nil }
        guard fetched.redirects < redirectLimit else {
            if authorised != nil { fetched.failure = .redirectLimit }
            return nil
        }
        return URLReference.resolve(location, against: fetched.url) ?? location
    }

    /// Headers that the origin reads.
    private func fields(of request: PreparedRequest, hasBody: Bool) -> [(name: String, value: String)] {
        guard authorised != nil || hasBody else { return [] }
        let fields = request.headers?.fields ?? []
        return authorised != nil && acceptsGzip ? fields + [("Accept-Encoding", "gzip")] : fields
    }

    private func isOtherHost(_ url: String, _ other: String) -> Bool {
        guard authorised != nil else { return false }
        return RequestTarget(url: url)?.host != RequestTarget(url: other)?.host
    }

    private func knownPlaylist(_ url: String, at now: WallTime) -> Fetched? {
        let edge = service.liveEdge(at: now)
        if edge != self.edge {
            playlists.removeAll(keepingCapacity: true)
            self.edge = edge
        }
        guard var known = playlists[url] else { return nil }
        known.releasedAt = now
        return known
    }

    /// The name that a URL calls the origin by, and path and query; nil for another host's.
    private func place(of url: String) -> (authority: String, target: String)? {
        for (base, authority) in names where url.utf8.starts(with: base.utf8) {
            let rest = url.utf8.dropFirst(base.utf8.count)
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
            return (authority, rest.isEmpty ? "/" : String(Substring(rest)))
        }
        return nil
    }

    private func keepSize(_ role: ViewerRole, _ url: String, _ fetched: Fetched, at now: WallTime) {
        guard !role.keepsBody, fetched.isSuccess, fetched.redirects == 0, fetched.releasedAt == now,
            fetched.answer?.isImmutable == true
        else { return }
        if sizes.count >= Self.keptSizes { sizes.removeAll(keepingCapacity: true) }
        sizes[url] = fetched.sentBodyBytes
    }
}

extension DirectAnswer {
    /// Flaws of its framing.
    fileprivate var flaws: AnswerFlaws {
        var flaws = AnswerFlaws()
        let lengths = values(of: "content-length")
        if Set(lengths).count > 1 { flaws.formUnion(.lengthInvalid) }
        if !lengths.isEmpty, header("transfer-encoding") != nil { flaws.formUnion(.lengthWithTransferCoding) }
        // No viewer asks for a range.
        if status == 206 { flaws.formUnion(.partialUnasked) }
        return flaws
    }
}
