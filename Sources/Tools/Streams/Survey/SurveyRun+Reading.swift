import AdServing
import HLS
import Profile
import Rules
import Swarm
import Transport

/// Reads from authorised hosts, and explains failures to the user.
extension SurveyRun {
    /// Same limit as in a run; playlists for players are far smaller.
    static let largestBody = 8 << 20

    struct Reading: Sendable {
        var playlist: Playlist
        var answer: StreamAnswer
        var violations: [Violation] = []
        /// After redirects.
        var url: String { answer.url }
    }

    /// `name`, such as "the stream", begins the message of a failure.
    func read(_ url: String, as name: String, importing imported: [String: String]? = nil) async throws(StreamFailure)
        -> Reading
    {
        let reading = await reader.read(url, isFirst: true)
        let answer: StreamAnswer
        switch reading.outcome {
        case .success(let read): answer = read
        case .failure(.refused(let answer)): throw failure(answer, from: url, as: name)
        case .failure(.unreadable(let reason)): throw StreamFailure(.unusable, "\(name) \(reason)")
        }
        let checked = CheckedAnswer(answer, importing: imported)
        guard checked.error == nil, let playlist = checked.playlist else {
            let kind = Self.kind(of: answer, refusedWith: checked.error)
            throw StreamFailure(.unusable, "\(name) at \(Redaction.url(answer.url, own: nil)) \(kind)")
        }
        return Reading(playlist: playlist, answer: answer, violations: reading.violations + checked.violations)
    }

    /// Absolute URLs of the assets, and the list's own; nil if it cannot be read.
    func readAssetList(_ url: String) async -> (assets: [String], url: String)? {
        guard let answer = try? await reader.read(url).outcome.get(), let list = try? AssetList(parsing: answer.body)
        else { return nil }
        return (list.assets.map { AssetList.resolved($0, against: answer.url) }, answer.url)
    }

    private func failure(_ answer: SingleFetch.Answer, from url: String, as name: String) -> StreamFailure {
        let shown = Redaction.url(url, own: nil)
        if let failure = answer.failure {
            let reason: StreamFailure.Reason =
                failure == .unauthorisedHost || failure == .bodyTooLarge ? .unusable : .unreachable
            let next = answer.headers["location"].flatMap { URLReference.resolve($0, against: answer.url) }
            let leads = next.flatMap { StreamFacts.origin(of: $0) }.map { StreamFacts.name(of: $0) }
            return StreamFailure(reason, "\(name) at \(shown) \(words(for: failure, of: url, redirectedTo: leads))")
        }
        let advice =
            switch answer.status {
            case 400 where url.contains(WireName.MediaTailor.masterPath):
                "; a guided session of MediaTailor wants aws.insertionMode=GUIDED in the query"
            case 400 where Self.isPlain(url): "; does the server want https there?"
            case 401, 403:
                access.headers.isEmpty
                    ? "; it may want a token in its URL, or a header, which --header 'Name: value' sends"
                    : "; is the header right that --header names? It goes to the server of the URL only"
            case 404, 410: "; is the URL right, and the stream on air?"
            case 300..<400: "; a redirect without a Location leads nowhere"
            case 429: "; it has had too many requests from here: wait, and try again"
            case 500...: "; the server itself fails: look at its log, or try again"
            default: ""
            }
        return StreamFailure(.unreachable, "\(name) at \(shown) answers with status \(answer.status)\(advice)")
    }

    private static func isPlain(_ url: String) -> Bool { url.lowercased().hasPrefix("http:") }

    private func words(for failure: TransportFailure, of url: String, redirectedTo host: String?) -> String {
        switch failure {
        case .dns: "cannot be reached: there is no such host, or no name server that knows it"
        case .connectRefused: "cannot be reached: the connection is refused; does a server listen there?"
        case .connectTimeout, .connectFailed: "cannot be reached: no connection comes about (\(failure.code))"
        case .tls:
            "cannot be reached: TLS fails, as where a server speaks http alone, or its certificate is not trusted, or "
                + "it asks for a client's; --ca-file names a private authority"
                + (access.verifiesTLS ? ", --insecure verifies nothing" : "")
        case .firstByteTimeout, .totalTimeout: "does not answer in time; --timeout waits longer"
        case .bodyTooLarge: "is larger than \(Self.largestBody >> 20) MiB, which no playlist is"
        case .unauthorisedHost:
            host.map { "redirects to \($0), which was not asked; if you answer for it too, say --allow-host \($0)" }
                ?? "redirects to an address that is not an http or https URL"
        case .reset:
            "cannot be read: the connection is closed without an answer"
                + (Self.isPlain(url) ? "; does the server want https there?" : "; look at the server's log")
        case .protocolError:
            "cannot be read: the answer is not HTTP, or in an encoding that was not asked for; is another server on that port?"
        case .truncated: "cannot be read: the answer ends before it is whole; try again, or look at the server's log"
        case .redirectLimit: "redirects more often than is followed"
        default: "cannot be read (\(failure.code))"
        }
    }

    private static func kind(of answer: StreamAnswer, refusedWith error: PlaylistError?) -> String {
        let head = String(decoding: answer.body.prefix(2_048), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
        if answer.body.isEmpty { return "is empty: an answer without a playlist in it" }
        if head.contains("<mpd") { return "is a manifest of DASH; podswarm rehearses HLS" }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html")
            || answer.fields?.headers["content-type"]?.contains("html") ?? false
        {
            return "is a web page, no playlist: the URL of the stream itself is wanted, as a player is given it"
        }
        guard let error, error.code != .notAPlaylist else { return "is not a playlist: its first line is not #EXTM3U" }
        return "is a playlist that cannot be read: line \(error.line): \(error.detail)"
    }
}
