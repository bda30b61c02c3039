import Dispatch
import HTTPTypes
import NIOCore
import NIOPosix
import TestSupport
import Transport
import Values

/// A listener on a free loopback port, and the loops that it runs on.
struct RunningListener: Sendable {
    let listener: HTTPListener
    private let loops: MultiThreadedEventLoopGroup

    static func run(
        threads: Int = 1,
        connectionLimit: Int? = nil,
        headLimit: TimeAmount? = nil,
        idleLimit: TimeAmount = .seconds(3_600),
        grace: TimeAmount = .milliseconds(500),
        unsentLimit: Int? = nil,
        receivedLimit: Int? = nil,
        bodyPatience: TimeAmount = .seconds(3_600),
        respond: @escaping HTTPListener.Responder,
        test: (RunningListener) async throws -> Void
    ) async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        var settings = ListenerSettings(at: ListeningAddress(host: "127.0.0.1", port: 0))
        (settings.bodyLimit, settings.unsentLimit) = (100, unsentLimit)
        (settings.receivedLimit, settings.bodyPatience) = (receivedLimit, bodyPatience)
        settings.keepsBody = { $0.path != "/unkept" }
        settings.connectionLimit = connectionLimit
        settings.headLimit = headLimit
        settings.idleLimit = idleLimit
        settings.grace = grace
        let executor = threads == 1 ? LoopTaskExecutor(loops.next()) : nil
        let listener = try await HTTPListener(settings, on: loops, executor: executor, respond: respond)
        try await ending {
            await listener.stop()
            try await loops.shutdownGracefully()
        } after: {
            try await test(RunningListener(listener: listener, loops: loops))
        }
    }

    func connection(sending text: String) throws -> RawConnection {
        try RawConnection(port: listener.port, sending: text)
    }

    /// A connection whose text is there when the only loop accepts it.
    func connectionFound(sending text: String, endsInput: Bool = false) async throws -> RawConnection {
        let free = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            loops.next().execute {
                continuation.resume()
                free.wait()
            }
        }
        defer { free.signal() }
        return try RawConnection(port: listener.port, sending: text, endsInput: endsInput)
    }

    func answer(to text: String) async throws -> String { try await connection(sending: text).answer().text }

    /// Returns when the loop has looked at its sockets often.
    func turns() async throws { for _ in 0..<100 { try await loops.next().submit {}.get() } }
}

struct Tally: Sendable {
    private let counts = Watched<[String: Int]>([:])

    func add(_ name: String) { counts.change { $0[name, default: 0] += 1 } }

    subscript(name: String) -> Int { counts.value[name] ?? 0 }

    func wait(for name: String, _ count: Int = 1) async throws { try await counts.wait { $0[name] ?? 0 >= count } }
}

extension ServedRequest {
    func say(_ text: String) async throws {
        let fields: HTTPFields = [.contentLength: String(text.utf8.count)]
        try await send(HTTPResponse(status: .ok, headerFields: fields), ByteBuffer(string: text))
    }
}
