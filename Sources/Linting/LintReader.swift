import AdServing
package import Conformance
import Destinations
import Foundation
import HLS
import Rulebook
package import Swarm
import Transport

/// Successful answer to a request for one playlist, or a file.
package struct LintAnswer: Sendable {
    /// Where it came from in the end, which its references are relative to.
    var url: String
    var body: [UInt8]
    /// Of an answer over HTTP; nil for a file.
    var fields: Fields?

    /// What an answer says of its body.
    struct Fields: Sendable {
        var contentType: String?
        var contentEncoding: String?
        /// ETag.
        var entityTag: String?
    }

    /// Whether the server says that nothing changed since the answer whose entity tag was sent.
    var isNotModified = false
}

extension LintAnswer {
    /// An answer over HTTP to a request for `place`.
    package init(_ answer: SingleFetch.Answer, of place: String) {
        let fields = Fields(
            contentType: answer.contentType,
            contentEncoding: answer.contentEncoding,
            entityTag: answer.entityTag
        )
        self.init(url: answer.url.isEmpty ? place : answer.url, body: answer.body, fields: fields)
    }
}

extension SingleFetch.Answer {
    /// Flaws of the answer's framing, whether its body could be read or not.
    package var framingViolations: [Violation] {
        FramingChecks.violations(
            of: flaws,
            contentLength: contentLength,
            contentEncoding: contentEncoding,
            transferEncoding: transferEncoding
        )
    }
}

/// What came of asking for one playlist.
struct LintReading: Sendable {
    var outcome: Result<LintAnswer, LintReadFailure>
    /// What the answer says of its own body that cannot be right, whether it could be read or not.
    var violations: [Violation] = []
}

/// Why a playlist was not read.
enum LintReadFailure: Error, Sendable {
    /// No answer, by its stable code.
    case transport(String)
    case status(Int)
    /// A host that was not named, so nothing was asked there.
    case otherHost
    /// A file that is not there, or nothing that lint reads.
    case unreadable(String)
}

/// Reads playlists from where the first one came from: over HTTP, or from files.
struct LintReader: Sendable {
    static let largestBody = 64 << 20

    private let session: FetchSession?
    /// For the given URL's own server; the session keeps them from others.
    private let headers: [(name: String, value: String)]

    init(_ options: LintOptions) async throws(LintFailure) {
        guard case .url(let url) = options.source else {
            (session, headers) = (nil, [])
            return
        }
        guard let host = URLComponents(string: url)?.host, !host.isEmpty else {
            throw LintFailure(.badInput, "\(Redaction.url(url, own: nil)) is no URL")
        }
        let hosts = [host] + AuthorisedHosts.machine(of: url) + options.hosts
        do {
            session = try await FetchSession(
                asking: AuthorisedHosts(hosts, of: [url], headersAlsoTo: []),
                caFile: options.caFile,
                timeout: options.timeout,
                largestBody: Self.largestBody
            )
        } catch {
            throw LintFailure(.badInput, "requests cannot be made: \(error)")
        }
        headers = options.headers
    }

    /// Reads once.
    ///
    /// - Parameters:
    ///   - place: A URL, or a file's path.
    ///   - entityTag: Of the answer before, for If-None-Match.
    /// - Returns: What came back with success, that nothing changed, or why neither.
    func read(_ place: String, unless entityTag: String? = nil) async -> LintReading {
        guard let session else {
            return LintReading(outcome: Result { () throws(LintReadFailure) in try Self.readFile(place) })
        }
        var headers = headers
        if let entityTag { headers.append(("If-None-Match", entityTag)) }
        let answer = await session.get(place, headers: headers)
        return LintReading(
            outcome: Result { () throws(LintReadFailure) in
                try Self.playlist(answer, of: place, isConditional: entityTag != nil)
            },
            violations: answer.framingViolations
        )
    }

    private static func playlist(_ answer: SingleFetch.Answer, of place: String, isConditional: Bool)
        throws(LintReadFailure) -> LintAnswer
    {
        if answer.failure == .unauthorisedHost { throw .otherHost }
        if let failure = answer.failureCode { throw .transport(failure) }
        if answer.status == 304, isConditional {
            return LintAnswer(url: place, body: [], fields: nil, isNotModified: true)
        }
        guard answer.isSuccess else { throw .status(answer.status) }
        return LintAnswer(answer, of: place)
    }

    /// The location of a playlist that another one names; nil where it cannot be read from here.
    ///
    /// Of files only those in the folder of the naming one, and below.
    ///
    /// - Parameters:
    ///   - reference: As the playlist spells it.
    ///   - base: Where that playlist came from.
    /// - Returns: A URL, or a file's path.
    func place(of reference: String, in base: String) -> String? {
        guard session == nil else { return URLReference.resolve(reference, against: base) }
        guard !reference.contains("://"), base != Self.standardInput else { return nil }
        let name = reference.prefix { $0 != "?" && $0 != "#" }.removingPercentEncoding ?? reference
        let folder = URL(fileURLWithPath: base).deletingLastPathComponent()
        let file = URL(fileURLWithPath: String(name), relativeTo: folder)
        // A playlist of others must not lead to what else is on this machine, on its way or by a link.
        let (inside, real) = (folder.resolvingSymlinksInPath().path, file.resolvingSymlinksInPath().path)
        guard real.hasPrefix(inside.hasSuffix("/") ? inside : inside + "/") else { return nil }
        return FileManager.default.fileExists(atPath: file.path) ? file.path : nil
    }

    func shutDown() async {
        await session?.shutDown()
    }

    static let standardInput = "standard input"

    /// Reads a pipe or a file of any length, but never more than a playlist may have.
    private static func readFile(_ path: String) throws(LintReadFailure) -> LintAnswer {
        let handle: FileHandle
        if path == standardInput {
            handle = .standardInput
        } else {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .unreadable("no such file")
            }
            guard !isFolder.boolValue, let opened = FileHandle(forReadingAtPath: path) else {
                throw .unreadable(isFolder.boolValue ? "is a folder" : "cannot be opened")
            }
            handle = opened
        }
        var body: [UInt8] = []
        do {
            while body.count <= largestBody, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
                body += more
            }
        } catch {
            throw .unreadable("cannot be read: \((error as NSError).localizedDescription)")
        }
        guard body.count <= largestBody else { throw .unreadable("is larger than 64 MiB") }
        return LintAnswer(url: path, body: body, fields: nil)
    }
}
