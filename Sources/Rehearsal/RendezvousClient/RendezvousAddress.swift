import Foundation
package import Results

/// Meeting place as a user names it: a shared folder or the address of a server.
package struct RendezvousAddress: Equatable, Sendable {
    private let text: String
    private let runID: String
    private let token: RendezvousToken?
    private let authorities: String?

    package static func isServer(_ text: String) -> Bool { text.contains("://") }

    /// Accepts a path, `http://HOST:PORT` or `https://HOST:PORT`.
    ///
    /// `authorities` is a PEM file of CA certificates; nil uses the system's.
    ///
    /// - Throws: `RendezvousError` for any other address.
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

    /// Whether the token would travel in clear text.
    package var showsToken: Bool {
        guard token != nil, let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http" else {
            return false
        }
        let host = parts.host?.lowercased() ?? ""
        let numbers = host.split(separator: ".").map { UInt8($0) }
        let isLoopback = numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
        return !isLoopback && !["localhost", "::1", "[::1]"].contains(host)
    }

    /// Opens the place; the caller closes it.
    ///
    /// With `onlyLooksOn`, a folder is neither created nor written to and may be missing.
    ///
    /// - Throws: `RendezvousError` if a folder cannot be created or written to; a server need not answer yet.
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

package struct OpenRendezvous: Sendable {
    package let place: any RendezvousPlace
    /// Closes the place's connections.
    package let close: @Sendable () async -> Void

    /// Runs `body` and closes the place, also on an error.
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
