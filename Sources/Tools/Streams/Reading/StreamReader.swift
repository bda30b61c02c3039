import AdServing
import Foundation
import HLS
import Rules
import Swarm
import Transport
import Values

struct StreamReading: Sendable {
    enum Failure: Error, Sendable {
        /// No answer, or a status other than success.
        case refused(SingleFetch.Answer)
        case unreadable(String)
    }

    /// As asked for, with delivery directives.
    let asked: String
    let askedAt: Instant
    let answeredAt: Instant
    /// Nil for a file.
    let answer: SingleFetch.Answer?
    /// Nil for 304 (Not Modified).
    var body: Result<[UInt8]?, Failure>
    /// In the answer's framing, even if its body could not be read.
    var violations: [Violation] = []

    /// After redirects; references in the body are relative to it.
    var url: String { answer.flatMap { $0.isSuccess && !$0.url.isEmpty ? $0.url : nil } ?? asked }
}

/// Access to a stream and the hosts that it names, as the user permits and describes it.
package struct StreamAccess: Sendable {
    /// `host`, `host:port` or `*.suffix`, besides the stream's own.
    package var hosts: [String] = []
    /// For the stream's own server only.
    package var headers: [(name: String, value: String)] = []
    /// PEM file; nil: the system's.
    package var caFile: String?
    package var verifiesTLS = true
    /// For the connect and for the first byte; a whole answer may take three times as long.
    package var timeout = Duration.seconds(10)

    package init() {}
}

/// Over HTTP, or from files or standard input.
struct StreamReader: Sendable {
    static let largestFile = 64 << 20
    static let standardInput = "standard input"

    typealias Get = @Sendable (_ url: String, _ headers: [(name: String, value: String)]) async -> SingleFetch.Answer

    private let get: Get?
    private let end: @Sendable () async -> Void
    /// The session sends them to the given URL's server only.
    private let headers: [(name: String, value: String)]

    init(_ get: Get? = nil) { (self.get, end, headers) = (get, {}, []) }

    /// Fails for a file of authorities that cannot be used; `largestBody` counts decoded bytes.
    init(
        _ access: StreamAccess,
        asking hosts: AuthorisedHosts,
        largestBody: Int,
        cookies: CookieUse = .ignored
    ) async throws(StreamFailure) {
        headers = access.headers
        var configuration = TransportConfiguration()
        (configuration.authorisedHosts, configuration.maximumBodyBytes) = (hosts, largestBody)
        (configuration.caFile, configuration.verifyTLS) = (access.caFile, access.verifiesTLS)
        (configuration.connectTimeout, configuration.firstByteTimeout) = (access.timeout, access.timeout)
        configuration.totalTimeout = access.timeout * 3
        do {
            let session = try await FetchSession.open(configuration, cookies: cookies)
            get = { await session.send(to: $0, headers: $1) }
            end = { await session.shutDown() }
        } catch {
            throw .unusable("requests cannot be made: \(error)")
        }
    }

    /// `entityTag` is sent as If-None-Match.
    ///
    /// `isFirst`: the request of a viewer that joins, which may be redirected to a CDN, a region or a session.
    func read(_ place: String, unless entityTag: String? = nil, isFirst: Bool = false) async -> StreamReading {
        guard let get else {
            let body = Result { () throws(StreamReading.Failure) in [UInt8]?.some(try Self.readFile(place)) }
            let now = MonotonicClock.now()
            return StreamReading(asked: place, askedAt: now, answeredAt: now, answer: nil, body: body)
        }
        let condition = entityTag.map { [(name: "If-None-Match", value: $0)] } ?? []
        let answer = await get(place, headers + condition)
        var violations = FramingChecks.violations(of: answer.flaws) { answer.headers[$0] }
        if answer.failure == nil || answer.failure == .redirectLimit {
            violations += RedirectChecks.violations(
                redirects: answer.redirects,
                endedByLimit: answer.failure == .redirectLimit,
                leftHost: answer.leftHost,
                mayLeaveHost: isFirst,
                status: answer.status
            )
        }
        let isUnmodified = answer.failure == nil && answer.status == 304 && entityTag != nil
        return StreamReading(
            asked: place,
            askedAt: answer.startedAt,
            answeredAt: answer.doneAt,
            answer: answer,
            body: isUnmodified ? .success(nil) : answer.isSuccess ? .success(answer.body) : .failure(.refused(answer)),
            violations: violations
        )
    }

    /// Nil if the reference cannot be read from here; a local playlist may refer only to files in its own folder and below.
    func place(of reference: String, in base: String) -> String? {
        guard get == nil else { return URLReference.resolve(reference, against: base) }
        guard !reference.contains("://"), base != Self.standardInput else { return nil }
        let name = reference.prefix { $0 != "?" && $0 != "#" }.removingPercentEncoding ?? reference
        let folder = URL(fileURLWithPath: base).deletingLastPathComponent()
        let file = URL(fileURLWithPath: String(name), relativeTo: folder)
        // An untrusted playlist must not reach other files of this machine, by its path or by a symbolic link.
        let (inside, real) = (folder.resolvingSymlinksInPath().path, file.resolvingSymlinksInPath().path)
        guard real.hasPrefix(inside.hasSuffix("/") ? inside : inside + "/") else { return nil }
        return FileManager.default.fileExists(atPath: file.path) ? file.path : nil
    }

    func shutDown() async { await end() }

    private static func readFile(_ path: String) throws(StreamReading.Failure) -> [UInt8] {
        var body: [UInt8] = []
        do {
            let handle = try path == standardInput ? FileHandle.standardInput : UntrustedFile.opened(path)
            while body.count <= largestFile, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
                body += more
            }
        } catch let refusal as UntrustedFile.Refusal {
            throw .unreadable("\(refusal)")
        } catch {
            throw .unreadable("cannot be read: \((error as NSError).localizedDescription)")
        }
        guard body.count <= largestFile else { throw .unreadable("is larger than 64 MiB") }
        return body
    }
}

/// Reason why a stream cannot be linted or surveyed.
package struct StreamFailure: Error, Equatable {
    package enum Reason: Sendable {
        /// An invalid URL, a missing file, a host that is not authorised, an answer that is not a stream.
        case unusable
        /// No answer, or no success.
        case unreachable
    }

    package var reason: Reason
    /// Includes the fix; URLs in it are redacted.
    package var message: String

    static func unusable(_ message: String) -> StreamFailure { Self(reason: .unusable, message: message) }

    static func unreachable(_ message: String) -> StreamFailure { Self(reason: .unreachable, message: message) }
}
