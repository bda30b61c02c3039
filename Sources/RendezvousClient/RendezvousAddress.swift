import Foundation
package import Rendezvous

/// Where shards meet, as a person names it: a folder that all see, or the address of a server.
package struct RendezvousAddress: Equatable, Sendable {
    private let text: String
    private let runID: String
    private let token: RendezvousToken?
    private let authorities: String?

    /// Whether a text is the address of a server.
    package static func isServer(_ text: String) -> Bool { text.contains("://") }

    /// - Parameters:
    ///   - text: A path, or `http://HOST:PORT`, or `https://HOST:PORT`.
    ///   - runID: Whose place it is.
    ///   - token: What the server asks for.
    ///   - authorities: PEM file of who is trusted over TLS; nil for the system's.
    /// - Throws: `RendezvousError` for what is neither.
    package init(
        _ text: String,
        runID: String,
        token: RendezvousToken?,
        authorities: String?
    ) throws(RendezvousError) {
        guard !Self.isServer(text) || RendezvousHTTP.root(of: text) != nil else {
            throw RendezvousError("\(text): a rendezvous is a folder, http://HOST:PORT or https://HOST:PORT")
        }
        (self.text, self.runID, self.token, self.authorities) = (text, runID, token, authorities)
    }

    /// Whether the token would be read by whoever sees the packets.
    package var showsToken: Bool {
        guard token != nil, let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http" else {
            return false
        }
        let host = parts.host?.lowercased() ?? ""
        let numbers = host.split(separator: ".").map { UInt8($0) }
        let isLoopback = numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
        return !isLoopback && !["localhost", "::1", "[::1]"].contains(host)
    }

    /// Makes ready to meet there.
    ///
    /// - Parameter onlyLooksOn: Whether a folder is neither made nor written to, and need not be there yet.
    /// - Returns: The place, to be closed before it is let go.
    /// - Throws: `RendezvousError` where a folder cannot be made or written to; a server need not answer yet.
    package func open(onlyLooksOn: Bool = false) async throws(RendezvousError) -> OpenRendezvous {
        guard Self.isServer(text) else {
            let path = "\(text)/\(runID)"
            let folder = onlyLooksOn ? RendezvousFolder(lookingAt: path) : try RendezvousFolder(path: path)
            return OpenRendezvous(place: folder, close: {})
        }
        let server = try await RendezvousHTTP(url: text, runID: runID, token: token?.text, authorities: authorities)
        return OpenRendezvous(place: server, close: { await server.shutDown() })
    }
}

/// A place where shards meet, as long as it is needed.
package struct OpenRendezvous: Sendable {
    package let place: any RendezvousPlace
    /// Ends its connections.
    package let close: @Sendable () async -> Void

    /// - Parameters:
    ///   - place: Where shards meet.
    ///   - close: Ends its connections.
    package init(place: any RendezvousPlace, close: @escaping @Sendable () async -> Void) {
        self.place = place
        self.close = close
    }

    /// Closes it when `body` has returned or thrown.
    ///
    /// - Parameter body: What needs the place.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package func closed<Outcome>(
        after body: (any RendezvousPlace) async throws -> Outcome
    ) async throws -> Outcome {
        let outcome: Result<Outcome, any Error>
        do {
            outcome = .success(try await body(place))
        } catch {
            outcome = .failure(error)
        }
        await close()
        return try outcome.get()
    }
}
