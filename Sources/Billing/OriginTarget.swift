import AdServing
import Audience
import HLS
import Origin
import Swarm
import Time
import Transport

/// The reference origin as a virtual run asks it: no socket, and no time but that of the run.
final class OriginTarget: VirtualTarget {
    /// What came of a request.
    struct Fetched: VirtualAnswer {
        /// Nil for a host that is not the origin's: it takes what is sent and answers with nothing.
        var answer: DirectAnswer?
        /// After redirects.
        var url: String
        var redirects = 0
        var sentBodyBytes = 0
        var releasedAt: WallTime
        var headers: [String: String] = [:]

        var status: Int { answer?.status ?? 204 }
        var isSuccess: Bool { (200..<300).contains(status) }

        func readBody(_ take: (UnsafeRawBufferPointer) -> Void) {
            guard let answer else { return take(UnsafeRawBufferPointer(start: nil, count: 0)) }
            answer.readBody(take)
        }
    }

    private static let redirectLimit = 5
    /// More sizes than any channel has segments at one time.
    private static let keptSizes = 4_096

    private let service: OriginService
    /// By both names of loopback: the multivariant playlist may be at the other one.
    private let names: [(base: String, authority: String)]
    private let acceptsGzip: Bool
    private let ledger: BillLedger
    /// Bodies that never change and that nobody looks at, by URL.
    private var sizes: [String: Int] = [:]
    /// Playlists of the channel while its live edge stands, by URL: all viewers who ask for one get the same.
    private var playlists: [String: Fetched] = [:]
    private var edge: WallTime?

    init(_ service: OriginService, at base: String, acceptsGzip: Bool, _ ledger: BillLedger) {
        self.service = service
        self.ledger = ledger
        names = [base, base.replacing("://127.0.0.1", with: "://localhost")].map { base in
            (base, base.firstRange(of: "://").map { String(base[$0.upperBound...]) } ?? base)
        }
        self.acceptsGzip = acceptsGzip
    }

    func answer(_ request: VirtualRequest, at now: WallTime) -> any VirtualAnswer {
        let fetched = fetch(request, at: now)
        ledger.asked(request, bytes: fetched.sentBodyBytes, at: now)
        return fetched
    }

    /// Asks for a URL, and follows where it leads.
    private func fetch(_ asked: VirtualRequest, at now: WallTime) -> Fetched {
        let (role, request, url) = (asked.role, asked.request, asked.request.url)
        if let size = sizes[url] {
            return Fetched(answer: nil, url: url, sentBodyBytes: size, releasedAt: now)
        }
        if role == .playlist, let known = knownPlaylist(url, at: now) { return known }
        var fetched = Fetched(answer: nil, url: url, releasedAt: now)
        while true {
            guard let (authority, target) = place(of: fetched.url) else {
                fetched.answer = nil
                return fetched
            }
            let isPost = fetched.redirects == 0 && request.method == .post
            let answer = service.answer(
                DirectRequest(
                    isPost: isPost,
                    target: target,
                    authority: authority,
                    viewer: asked.viewer,
                    contentType: isPost ? request.contentType : nil,
                    body: isPost ? request.body ?? [] : []
                ),
                at: fetched.releasedAt,
                acceptsGzip: acceptsGzip
            )
            fetched.answer = answer
            fetched.releasedAt = answer.releasedAt
            fetched.sentBodyBytes = answer.sentBodyBytes
            guard (300..<400).contains(answer.status), fetched.redirects < Self.redirectLimit,
                let location = answer.header("location")
            else { break }
            fetched.url = URLReference.resolve(location, against: fetched.url) ?? location
            fetched.redirects += 1
        }
        if role.keepsBody { fetched.headers = fetched.answer?.headers ?? [:] }
        keepSize(role, url, fetched, at: now)
        if role == .playlist, fetched.isSuccess, fetched.redirects == 0, fetched.releasedAt == now {
            if playlists.count >= Self.keptSizes { playlists.removeAll(keepingCapacity: true) }
            playlists[url] = fetched
        }
        return fetched
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
