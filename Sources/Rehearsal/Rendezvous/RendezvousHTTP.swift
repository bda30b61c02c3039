import AdServing
import CLinux
package import Foundation
import HTTPTypes
import NIOCore
package import Results
import Swarm
package import Transport
package import Values

/// Must be shut down before it is released.
package struct RendezvousHTTP: RendezvousPlace {
    private let session: FetchSession
    /// Without a final slash.
    private let base: String
    private let root: String
    private let headers: [(name: String, value: String)]
    /// A server may repeat the token in a refusal.
    private let secrets: KnownSecrets

    /// Sends nothing; throws `RendezvousError` for an invalid URL or file.
    ///
    /// `url` has only scheme, host and port; `authorities` is a PEM file, nil for the system's; `patience` is for the first
    /// byte.
    package init(
        url: String,
        runID: String,
        token: String? = nil,
        authorities: String? = nil,
        patience: Duration = .seconds(5)
    ) async throws(RendezvousError) {
        guard let root = Self.root(of: url) else {
            throw RendezvousError("\(url): the address of a rendezvous is http://HOST:PORT or https://HOST:PORT")
        }
        self.root = root
        base = "\(root)/v1/\(runID)"
        secrets = KnownSecrets([token].compactMap(\.self))
        headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        var configuration = TransportConfiguration()
        configuration.caFile = authorities
        configuration.connectTimeout = .seconds(3)
        configuration.firstByteTimeout = patience
        configuration.totalTimeout = patience * 2
        // Room for a listing in Base64.
        configuration.maximumBodyBytes = 16 << 20
        configuration.maximumRedirects = 0
        configuration.acceptEncoding = false
        configuration.authorisedHosts = AuthorisedHosts([String(root.split(separator: "/", maxSplits: 2)[1])])
        do {
            session = try await FetchSession.open(configuration)
        } catch {
            throw RendezvousError("\(url): \(error)")
        }
    }

    /// Without a final slash; nil for an address that is not a server's.
    package static func root(of url: String) -> String? {
        guard let server = RequestTarget(url: url), server.pathAndQuery == "/", !server.needsCurl, !url.contains("#")
        else { return nil }
        return "\(server.scheme)://\(server.authority)"
    }

    package func shutDown() async { await session.shutDown() }

    package func put(_ content: Data, in group: String, as name: String) async throws(RendezvousError) -> Bool {
        guard RendezvousName.isOne(group), RendezvousName.isOne(name) else {
            throw RendezvousError("'\(group)/\(name)' is not a valid name")
        }
        try RendezvousListing.check(content)
        let sent = headers + [("If-None-Match", "*"), ("Content-Type", "application/octet-stream")]
        let answer = await session.send(.put, Array(content), to: "\(base)/\(group)/\(name)", headers: sent)
        switch try status(of: answer) {
        case 201: return true
        case 412: return Data(answer.body) == content
        default: throw refusal(answer)
        }
    }

    package func list(_ group: String, after name: String?) async throws(RendezvousError) -> RendezvousListing {
        guard RendezvousName.isOne(group), name.map(RendezvousName.isOne) ?? true else {
            throw RendezvousError("'\(group)' is not a valid group name")
        }
        let url = "\(base)/\(group)" + (name.map { "?after=\($0)" } ?? "")
        let answer = await session.send(to: url, headers: headers)
        guard try status(of: answer) == 200 else { throw refusal(answer) }
        guard let listing = try? DocumentDecoding().decode(RendezvousListing.self, from: Data(answer.body)) else {
            throw RendezvousError("\(root): the server returned an invalid listing")
        }
        // Ascending names guarantee that paging by the last name ends.
        let names = listing.entries.map(\.name)
        guard zip([name ?? ""] + names, names).allSatisfy({ $0 < $1 }), names.allSatisfy(RendezvousName.isOne) else {
            throw RendezvousError("\(root): its listing is not in order")
        }
        return listing
    }

    package func time() async throws(RendezvousError) -> PlaceTime {
        let answer = await session.send(to: "\(root)/v1/time", headers: headers)
        guard try status(of: answer) == 204 else { throw refusal(answer) }
        guard let microseconds = answer.headers["podswarm-time-us"].flatMap({ Int64($0) }) else {
            throw RendezvousError("\(root): it does not tell its time")
        }
        return PlaceTime(wall: WallTime(microseconds: microseconds), granularity: .microseconds(1))
    }

    private func status(of answer: SingleFetch.Answer) throws(RendezvousError) -> Int {
        if let code = answer.failureCode { throw RendezvousError("\(root): \(code)") }
        return answer.status
    }

    private func refusal(_ answer: SingleFetch.Answer) -> RendezvousError {
        guard answer.status != 401 else {
            return RendezvousError(
                "\(root): it asks for another token; give it with --rendezvous-token-file",
                isLasting: true
            )
        }
        let words = String(decoding: answer.body.prefix(1_000), as: UTF8.self).split(separator: "\n").first ?? ""
        return RendezvousError("\(root): status \(answer.status) \(secrets.hidden(in: String(words)).prefix(200))")
    }
}

/// A shared folder or a server.
package struct RendezvousAddress: Equatable, Sendable {
    private let text: String
    private let runID: String
    private let token: RendezvousToken?
    private let authorities: String?

    package static func isServer(_ text: String) -> Bool { text.contains("://") }

    /// Accepts a path, `http://HOST:PORT` or `https://HOST:PORT`; throws `RendezvousError` for any other address.
    package init(_ text: String, runID: String, token: RendezvousToken?, authorities: String?) throws(RendezvousError) {
        guard !Self.isServer(text) || RendezvousHTTP.root(of: text) != nil else {
            throw RendezvousError("\(text): a rendezvous is a folder, http://HOST:PORT or https://HOST:PORT")
        }
        (self.text, self.runID, self.token, self.authorities) = (text, runID, token, authorities)
    }

    /// In clear text.
    package var showsToken: Bool {
        guard token != nil, let server = RequestTarget(url: text) else { return false }
        return server.scheme == "http" && !server.isLoopback
    }

    /// The caller closes the place, that of the address's run if no `run` is named; `onlyLooksOn` neither creates a folder,
    /// which may be missing, nor writes to it.
    ///
    /// Throws `CommandFailure` for an unusable folder; a server need not answer yet.
    package func open(run: String? = nil, onlyLooksOn: Bool = false) async throws(CommandFailure) -> any RendezvousPlace
    {
        let runID = run ?? runID
        return try await CommandFailure.awaiting("--rendezvous ") {
            guard Self.isServer(text) else {
                let path = "\(text)/\(runID)"
                return onlyLooksOn ? RendezvousFolder(lookingAt: path) : try RendezvousFolder(path: path)
            }
            return try await RendezvousHTTP(url: text, runID: runID, token: token?.text, authorities: authorities)
        }
    }
}

/// Serves a folder that shards cannot see; all state is in the folder, so a restarted server continues.
///
/// `PUT /v1/RUN/GROUP/NAME` with `If-None-Match: *` (RFC 9110 section 13.1.2) returns 201, or 412 with the existing content.
/// `GET /v1/RUN/GROUP?after=NAME` lists; `GET /v1/time` has no content. Every answer has this machine's time.
package struct RendezvousServer: Sendable {
    private let folder: String
    private let access: ClientAccess

    /// Throws `RendezvousError` or `CannotListen`, leaving nothing open.
    ///
    /// `folder` has a subfolder per run; port 0 of `address` selects a free one. A nil `token` serves every client that connects
    /// by address or as `localhost`; a nil `tls` serves without TLS.
    package static func listen(
        at address: ListeningAddress,
        folder: String,
        token: String?,
        tls: ServerTLSContext? = nil
    ) async throws -> HTTPListener {
        _ = try RendezvousFolder(path: folder)
        let access = ClientAccess(token: token)
        let server = RendezvousServer(folder: folder, access: access)
        var settings = ListenerSettings.shortMessages(at: address, bodyLimit: RendezvousListing.longestContent)
        // Enough for a thousand shards with a connection each.
        settings.connectionLimit = 4_096
        settings.backlog = 1_024
        settings.keepsBody = { $0.method == .put && access.refusal(of: $0) == nil }
        settings.tls = tls
        return try await HTTPListener(settings) { try await server.respond(to: $0) }
    }

    /// An error closes the connection.
    private func respond(to request: ServedRequest) async throws {
        var answer = await answer(to: request)
        answer.fields[.podswarmTime] = String(podswarm_nanoseconds(CLOCK_REALTIME) / 1_000)
        try await request.deliver(answer)
    }

    private func answer(to request: ServedRequest) async -> ServedAnswer {
        let head = request.head
        if let refusal = ServedAnswer.refusal(of: head, by: access, "rendezvous") { return refusal }
        guard let route = RendezvousRoute(head.path ?? "/") else {
            return .text(.notFound, "There is nothing here: /v1/RUN/GROUP, /v1/RUN/GROUP/NAME, /v1/time.")
        }
        do {
            switch (route, head.method) {
            case (.time, .get): return ServedAnswer(.noContent, nil, ByteBuffer())
            case (.group(let run, let group, let name), .get): return try list(run, group, after: name)
            case (.name(let run, let group, let name), .put):
                guard head.headerFields[.ifNoneMatch] == "*" else {
                    return .text(.preconditionRequired, "Nothing that is there is changed: send If-None-Match: *")
                }
                return try put(try await request.body(), run, group, name)
            case (.name, _): return .text(.methodNotAllowed, "PUT only.", allowing: "PUT")
            case (.group, _), (.time, _): return .text(.methodNotAllowed, "GET only.", allowing: "GET")
            }
        } catch is BodyTooLarge {
            return .text(.contentTooLarge, "At most \(RendezvousListing.longestContent) bytes.")
        } catch let error as RendezvousError {
            return .text(.init(code: 507, reasonPhrase: "Insufficient Storage"), error.description)
        } catch {
            return .text(.internalServerError, "\(error)")
        }
    }

    private func put(_ body: ByteBuffer, _ run: String, _ group: String, _ name: String) throws -> ServedAnswer {
        let place = try RendezvousFolder(path: "\(folder)/\(run)")
        if try place.put(Data(body.readableBytesView), in: group, as: name) { return .text(.created, "") }
        // A client that lost the answer to its first request recognises its own content.
        let there = ByteBuffer(bytes: try place.content(of: name, in: group) ?? Data())
        return ServedAnswer(.preconditionFailed, "application/octet-stream", there)
    }

    private func list(_ run: String, _ group: String, after name: String?) throws -> ServedAnswer {
        let listing = try RendezvousFolder(lookingAt: "\(folder)/\(run)").list(group, after: name)
        let json = try DocumentEncoding().encode(listing)
        return ServedAnswer(.ok, "application/json", ByteBuffer(bytes: json))
    }
}

extension HTTPField.Name {
    /// Microseconds since the Unix epoch.
    static let podswarmTime = HTTPField.Name("podswarm-time-us") ?? .date
}

enum RendezvousRoute: Equatable, Sendable {
    case time
    case group(run: String, group: String, after: String?)
    case name(run: String, group: String, name: String)

    /// No valid name needs escapes.
    init?(_ target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = halves.dropFirst().first
        let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts == ["", "v1", "time"], query == nil {
            self = .time
            return
        }
        guard parts.starts(with: ["", "v1"]), (4...5).contains(parts.count), ShardMeeting.isRunID(parts[2]),
            parts[3...].allSatisfy(RendezvousName.isOne)
        else { return nil }
        guard parts.count == 4 else {
            guard query == nil else { return nil }
            self = .name(run: parts[2], group: parts[3], name: parts[4])
            return
        }
        let after = query.map { String($0.dropFirst("after=".count)) }
        guard query?.hasPrefix("after=") ?? true, after.map(RendezvousName.isOne) ?? true else { return nil }
        self = .group(run: parts[2], group: parts[3], after: after)
    }
}
