import Foundation
import FoundationNetworking

/// A `podswarm origin` on a free port, stopped when the test is done with it.
struct RunningOrigin: Sendable {
    /// What the origin announces on its first line.
    private struct Announcement: Codable {
        var url: String
        var certificate: String?
    }

    /// What a registration answers.
    private struct Registration: Codable {
        var streamID: String

        enum CodingKeys: String, CodingKey {
            case streamID = "stream_id"
        }
    }

    static let event = "network/21775744923/custom_asset/sgai-hls-live"

    /// Scheme, host and port.
    let url: String
    /// PEM file to trust, with `--tls`.
    let certificate: String?
    let process: Int32

    /// Starts an origin, hands it to `body`, and stops it whatever happens.
    static func serving<Result: Sendable>(
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        _ body: (RunningOrigin) async throws -> Result
    ) async throws -> Result {
        let child = try ChildProcess(
            try PodswarmExecutable.path(),
            ["origin", "--announce-ready", "--stop-when-input-closes", "--port", "0"] + arguments,
            environment: environment
        )
        return try await child.stopped {
            try await child.wait(for: "announcement", within: .seconds(30)) { $0.output.contains("\n") }
            let ready = try JSONDecoder().decode(Announcement.self, from: Data(child.output.utf8))
            return try await body(
                RunningOrigin(url: ready.url, certificate: ready.certificate, process: child.identifier)
            )
        }
    }

    /// Registers a stream session with parameters that need no encoding, and returns its id.
    func register(_ parameters: [String: String] = [:]) async throws -> String {
        var request = URLRequest(url: try URL.parsed("\(url)/ssai/pods/api/v1/\(Self.event)/stream"))
        request.httpMethod = "POST"
        if !parameters.isEmpty {
            request.httpBody = Data(parameters.map { "\($0.key)=\($0.value)" }.joined(separator: "&").utf8)
        }
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(Registration.self, from: data).streamID
    }

    /// The manifest of a pod for a registered session.
    func podURL(_ identifier: String, streamID: String, milliseconds: Int) -> String {
        "\(url)/linear/pods/v1/hls/\(Self.event)/\(identifier).m3u8?stream_id=\(streamID)&pd=\(milliseconds)"
    }

    /// The origin's own counts.
    func truth() async throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: try await truthDocument()) as? [String: Any] ?? [:]
    }

    /// The origin's own counts as it says them.
    func truthDocument() async throws -> Data {
        try await URLSession.shared.data(from: try URL.parsed("\(url)/origin/truth.json")).0
    }
}

extension URL {
    struct Unusable: Error {
        let text: String
    }

    /// The URL that a text spells, or an error.
    static func parsed(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw Unusable(text: text) }
        return url
    }
}
