import HTTPServing
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// A listener on a free loopback port for as long as a closure runs.
func withListener(
    threads: Int = 1,
    connectionLimit: Int? = nil,
    headLimit: TimeAmount? = nil,
    idleLimit: TimeAmount = .seconds(3_600),
    grace: TimeAmount = .milliseconds(500),
    respond: @escaping HTTPListener.Responder,
    _ body: (HTTPListener) async throws -> Void
) async throws {
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: threads)
    var settings = ListenerSettings(host: "127.0.0.1", port: 0)
    settings.bodyLimit = 100
    settings.connectionLimit = connectionLimit
    settings.headLimit = headLimit
    settings.idleLimit = idleLimit
    settings.grace = grace
    let executor = threads == 1 ? LoopTaskExecutor(loops.next()) : nil
    let listener = try await HTTPListener.listen(settings, on: loops, executor: executor, respond: respond)
    let outcome: Result<Void, any Error>
    do {
        outcome = .success(try await body(listener))
    } catch {
        outcome = .failure(error)
    }
    await listener.stop()
    try await loops.shutdownGracefully()
    try outcome.get()
}

/// One plain connection to a listener.
struct Caller {
    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    init(_ listener: HTTPListener) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: listener.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let configuration = NIOAsyncChannel<ByteBuffer, ByteBuffer>.Configuration(
                        isOutboundHalfClosureEnabled: true
                    )
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: configuration)
                }
            }
    }

    /// Sends a text, says that nothing more comes where that is asked for, and reads until the server closes.
    func say(_ text: String, thenEnds: Bool = false) async throws -> String {
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            if thenEnds { outbound.finish() }
            var answer = ByteBuffer()
            for try await part in inbound { answer.writeImmutableBuffer(part) }
            return String(buffer: answer)
        }
    }

    /// Sends a text, and goes as soon as a condition holds.
    func say(_ text: String, leaving condition: () async throws -> Void) async throws {
        try await channel.executeThenClose { _, outbound in
            try await outbound.write(ByteBuffer(string: text))
            try await condition()
        }
    }
}

extension HTTPListener {
    /// What comes back for a text on a new connection, up to its end.
    func answer(to text: String, thenEnds: Bool = false) async throws -> String {
        try await Caller(self).say(text, thenEnds: thenEnds)
    }
}

/// What a responder counts.
final class Tally: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

    subscript(name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

    /// Waits until something was counted so often, which a test is sure of.
    func waits(for name: String, _ count: Int) async throws {
        let isSeen = try await Patience.sees { self[name] == count }
        #expect(isSeen, "\(name) \(count) times")
    }
}

extension ServedRequest {
    /// Answers 200 with a text.
    func say(_ text: String) async throws {
        let fields: HTTPFields = [.contentLength: String(text.utf8.count)]
        try await send(HTTPResponse(status: .ok, headerFields: fields), ByteBuffer(string: text))
    }
}
