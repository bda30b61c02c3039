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
    private let base: String
    private let authority: String
    private let acceptsGzip: Bool
    /// Bodies that never change and that nobody looks at, by URL.
    private var sizes: [String: Int] = [:]

    init(_ service: OriginService, at base: String, acceptsGzip: Bool) {
        self.service = service
        self.base = base
        authority = base.firstRange(of: "://").map { String(base[$0.upperBound...]) } ?? base
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
        var fetched = Fetched(answer: nil, url: url, releasedAt: now)
        while true {
            guard let target = target(of: fetched.url) else {
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
        return fetched
    }

    /// Path and query of a URL of the origin; nil for another host's.
    private func target(of url: String) -> String? {
        guard url.utf8.starts(with: base.utf8) else { return nil }
        let rest = url.utf8.dropFirst(base.utf8.count)
        return rest.isEmpty ? "/" : rest.first == UInt8(ascii: "/") ? String(rest) : nil
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
