import AdServing
import Conformance
import Destinations
import Foundation
import HLS
import Rulebook
import Swarm
import Transport

/// Successful answer to a request for one playlist, or a file.
struct StreamAnswer: Sendable {
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

/// Outcome of a request for one playlist.
struct StreamReading: Sendable {
    enum Failure: Error, Sendable {
        /// No answer, or one without success.
        case refused(SingleFetch.Answer)
        /// A file that is not there, or cannot be read.
        case unreadable(String)
    }

    var outcome: Result<StreamAnswer, Failure>
    /// Flaws of the answer's framing, whether its body could be read or not.
    var violations: [Violation] = []
}

/// Reads playlists from where the first one came from: over HTTP, or from files.
struct StreamReader: Sendable {
    static let largestFile = 64 << 20
    static let standardInput = "standard input"

    private let session: FetchSession?
    /// For the given URL's own server; the session keeps them from others.
    private let headers: [(name: String, value: String)]

    /// Reads files.
    init() { (session, headers) = (nil, []) }

    /// Reads URLs.
    ///
    /// - Throws: `StreamFailure` for a file of authorities that cannot be used.
    init(
        asking hosts: AuthorisedHosts,
        headers: [(name: String, value: String)],
        caFile: String?,
        verifiesTLS: Bool = true,
        timeout: Duration,
        largestBody: Int
    ) async throws(StreamFailure) {
        self.headers = headers
        do {
            session = try await FetchSession(
                asking: hosts,
                caFile: caFile,
                verifiesTLS: verifiesTLS,
                timeout: timeout,
                largestBody: largestBody
            )
        } catch {
            throw StreamFailure(.unusable, "requests cannot be made: \(error)")
        }
    }

    /// Reads once.
    ///
    /// - Parameters:
    ///   - place: A URL, or a file's path.
    ///   - entityTag: Of the answer before, for If-None-Match.
    /// - Returns: What came back with success, that nothing changed, or why neither.
    func read(_ place: String, unless entityTag: String? = nil) async -> StreamReading {
        guard let session else {
            return StreamReading(outcome: Result { () throws(StreamReading.Failure) in try Self.readFile(place) })
        }
        let condition = entityTag.map { [(name: "If-None-Match", value: $0)] } ?? []
        let answer = await session.get(place, headers: headers + condition)
        let violations = FramingChecks.violations(
            of: answer.flaws,
            contentLength: answer.contentLength,
            contentEncoding: answer.contentEncoding,
            transferEncoding: answer.transferEncoding
        )
        if answer.failure == nil, answer.status == 304, entityTag != nil {
            let unchanged = StreamAnswer(url: place, body: [], fields: nil, isNotModified: true)
            return StreamReading(outcome: .success(unchanged), violations: violations)
        }
        guard answer.isSuccess else {
            return StreamReading(outcome: .failure(.refused(answer)), violations: violations)
        }
        let fields = StreamAnswer.Fields(
            contentType: answer.contentType,
            contentEncoding: answer.contentEncoding,
            entityTag: answer.entityTag
        )
        let url = answer.url.isEmpty ? place : answer.url
        let read = StreamAnswer(url: url, body: answer.body, fields: fields)
        return StreamReading(outcome: .success(read), violations: violations)
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

    func shutDown() async { await session?.shutDown() }

    /// Reads a pipe or a file of any length, but never more than a playlist may have.
    private static func readFile(_ path: String) throws(StreamReading.Failure) -> StreamAnswer {
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
            while body.count <= largestFile, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
                body += more
            }
        } catch {
            throw .unreadable("cannot be read: \((error as NSError).localizedDescription)")
        }
        guard body.count <= largestFile else { throw .unreadable("is larger than 64 MiB") }
        return StreamAnswer(url: path, body: body, fields: nil)
    }
}
