import Foundation
import FoundationNetworking
import Synchronization
import TestSupport

/// `podswarm rendezvous` over a folder of its own, which can be killed and started again where it was.
final class ServedRendezvous: Sendable {
    static let token = "Hush-4f1c9d27e8-whispered-now"

    let folder: TemporaryFolder
    let url: String
    private let port: LoopbackPort
    private let tokenFile: String
    private let server = Mutex<ChildProcess?>(nil)

    init() throws {
        folder = try TemporaryFolder()
        port = try LoopbackPort(backlog: nil, mayBeBoundAgain: true)
        url = "http://127.0.0.1:\(port.number)"
        tokenFile = try folder.write(Self.token + "\n", to: "token")
    }

    /// Lends one that serves, and ends it whatever becomes of the body.
    static func serving<Outcome>(_ body: (ServedRendezvous) async throws -> Outcome) async throws -> Outcome {
        let rendezvous = try ServedRendezvous()
        try await rendezvous.start()
        return try await rendezvous.stopped(after: body)
    }

    /// The options by which shards come there.
    var options: [String] { ["--rendezvous", url, "--rendezvous-token-file", tokenFile] }

    var arguments: [String] {
        ["rendezvous", "--listen", "127.0.0.1:\(port.number)", "--folder", place.path, "--token-file", tokenFile]
    }

    /// Everything that is kept, in a folder for each run.
    var place: URL { folder.file("place") }

    func start(_ command: (() throws -> ChildProcess)? = nil) async throws {
        let child = try command?() ?? ChildProcess(try PodswarmExecutable.path(), arguments)
        server.withLock { $0 = child }
        try await child.wait(for: "URL") { $0.errors.contains("Rendezvous: \(url)\n") }
    }

    /// Kills the server, as a machine that fails does, and returns when it is gone.
    func kill() async throws {
        guard let child = server.withLock({ $0.take() }) else { return }
        child.kill()
        _ = try await child.ended()
    }

    func stopped<Outcome>(after body: (ServedRendezvous) async throws -> Outcome) async throws -> Outcome {
        try await ending({ await server.withLock { $0.take() }?.stop() }, after: { try await body(self) })
    }

    /// Whether a shard has put something.
    func holds(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: place.appending(path: "\(ShardedRehearsal.runID)/\(name)").path)
    }

    /// What the server answers who puts something under a name that is free.
    func statusOfPut() async throws -> Int {
        let name = UUID().uuidString
        var request = URLRequest(url: try URL.parsed("\(url)/v1/\(ShardedRehearsal.runID)/probe/\(name)"))
        request.httpMethod = "PUT"
        request.httpBody = Data(count: 65_536)
        request.setValue("*", forHTTPHeaderField: "If-None-Match")
        request.setValue("Bearer \(Self.token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
