import CLinux
import Foundation
import HTTPTypes
import NIOCore
import Results
package import Transport
package import Values

/// Serves a folder that shards cannot see; all state is in the folder, so a restarted server continues.
package final class RendezvousServer: Sendable {
    private let listening: ListeningThread

    package var port: Int { listening.listener.port }
    /// For shards on this machine; other machines use a host name.
    package let url: String

    /// Throws `RendezvousError` or `CannotListen`, leaving nothing open.
    ///
    /// `folder` has a subfolder per run; port 0 of `address` selects a free one. A nil `token` serves every client that connects
    /// by address or as `localhost`; a nil `tls` serves without TLS.
    package init(
        at address: ListeningAddress,
        folder: String,
        token: String?,
        tls: ServerTLSContext? = nil
    ) async throws {
        _ = try RendezvousFolder(path: folder)
        let access = ClientAccess(token: token)
        let responder = RendezvousResponder(folder: folder, access: access)
        var settings = ListenerSettings.shortMessages(at: address, bodyLimit: RendezvousListing.longestContent)
        // Enough for a thousand shards with a connection each.
        settings.connectionLimit = 4_096
        settings.backlog = 1_024
        settings.keepsBody = { $0.method == .put && access.refusal(of: $0) == nil }
        settings.tls = tls
        listening = try await ListeningThread(settings) { try await responder.respond(to: $0) }
        url = "\(tls == nil ? "http" : "https")://\(listening.authority)"
    }

    package func stop() async { await listening.stop() }
}

/// `PUT /v1/RUN/GROUP/NAME` with `If-None-Match: *` (RFC 9110 section 13.1.2) returns 201, or 412 with the existing content.
///
/// `GET /v1/RUN/GROUP?after=NAME` lists; `GET /v1/time` has no content. Every answer has this machine's time.
struct RendezvousResponder: Sendable {
    let folder: String
    let access: ClientAccess

    /// An error closes the connection.
    func respond(to request: ServedRequest) async throws {
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

    private func put(
        _ body: ByteBuffer,
        _ run: String,
        _ group: String,
        _ name: String
    ) throws -> ServedAnswer {
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
        var parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...]
        guard parts.popFirst() == "", parts.popFirst() == "v1" else { return nil }
        if parts == ["time"], halves.count == 1 {
            self = .time
            return
        }
        guard let run = parts.popFirst(), ShardMeeting.isRunID(run), let group = parts.popFirst(),
            RendezvousName.isOne(group)
        else { return nil }
        switch parts.popFirst() {
        case nil:
            guard let after = Self.after(halves.dropFirst().first) else { return nil }
            self = .group(run: run, group: group, after: after.isEmpty ? nil : after)
        case .some(let name):
            guard RendezvousName.isOne(name), parts.isEmpty, halves.count == 1 else { return nil }
            self = .name(run: run, group: group, name: name)
        }
    }

    /// Empty without a query, nil for an invalid one.
    private static func after(_ query: Substring?) -> String? {
        guard let query else { return "" }
        guard query.hasPrefix("after=") else { return nil }
        let name = String(query.dropFirst("after=".count))
        return RendezvousName.isOne(name) ? name : nil
    }
}
