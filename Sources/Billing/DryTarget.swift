import AdServing
import Audience
import Audit
import HLS
import Origin

/// The reference origin as a dry run asks it: no socket, and no time but that of the dry run.
struct DryTarget {
    /// What came of a request.
    struct Fetched {
        /// Nil for a host that is not the origin's: it takes what is sent and answers with nothing.
        var answer: DirectAnswer?
        /// After redirects.
        var url: String
        var redirects = 0
        var sentBodyBytes = 0
        var releasedAt: WallTime

        var status: Int { answer?.status ?? 204 }
        var isSuccess: Bool { (200..<300).contains(status) }
    }

    private static let redirectLimit = 5
    /// More sizes than any channel has segments at one time.
    private static let keptSizes = 4_096

    private let service: OriginService
    /// By both names of loopback: the multivariant playlist may be at the other one.
    private let names: [(base: String, authority: String)]
    private let acceptsGzip: Bool
    /// Bodies that never change and that nobody looks at, by URL.
    private var sizes: [String: Int] = [:]
    /// Playlists of the channel while its live edge stands, by URL: all viewers who ask for one get the same.
    private var playlists: [String: Fetched] = [:]
    private var edge: WallTime?

    init(_ service: OriginService, at base: String, acceptsGzip: Bool) {
        self.service = service
        names = [base, base.replacing("://127.0.0.1", with: "://localhost")].map { base in
            (base, base.firstRange(of: "://").map { String(base[$0.upperBound...]) } ?? base)
        }
        self.acceptsGzip = acceptsGzip
    }

    /// Asks for a URL, and follows where it leads.
    mutating func fetch(
        _ role: ViewerRole,
        _ url: String,
        post request: SessionRequest?,
        viewer: Int,
        at now: WallTime
    ) -> Fetched {
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
            let isPost = fetched.redirects == 0 && request != nil
            let answer = service.answer(
                DirectRequest(
                    isPost: isPost,
                    target: target,
                    authority: authority,
                    viewer: viewer,
                    contentType: isPost ? request?.contentType : nil,
                    body: isPost ? Array((request?.body ?? "").utf8) : []
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
        keepSize(role, url, fetched, at: now)
        if role == .playlist, fetched.isSuccess, fetched.redirects == 0, fetched.releasedAt == now {
            if playlists.count >= Self.keptSizes { playlists.removeAll(keepingCapacity: true) }
            playlists[url] = fetched
        }
        return fetched
    }

    private mutating func knownPlaylist(_ url: String, at now: WallTime) -> Fetched? {
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

    private mutating func keepSize(_ role: ViewerRole, _ url: String, _ fetched: Fetched, at now: WallTime) {
        guard !role.keepsBody, fetched.isSuccess, fetched.redirects == 0, fetched.releasedAt == now,
            fetched.answer?.isImmutable == true
        else { return }
        if sizes.count >= Self.keptSizes { sizes.removeAll(keepingCapacity: true) }
        sizes[url] = fetched.sentBodyBytes
    }
}

/// The headers of an answer that nobody sent.
final class DryHeaders: AnswerHeaders {
    private let answer: DirectAnswer

    init(_ answer: DirectAnswer) {
        self.answer = answer
    }

    func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        guard var value = answer.header("\(name)") else { return take(nil) }
        value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
    }

    var retryAfterSeconds: Int? { answer.header("retry-after").flatMap { Int($0) } }

    var ageSeconds: Int? { answer.header("age").flatMap { Int($0) } }

    var remoteAddress: String { "" }

    var traceID: String? { nil }
}
