import HummingbirdCore
import Logging
import NIOCore
import ServerTLS

/// A connection of another kind, over TLS.
struct TLSConnection<Inner: ServerChildChannel>: ServerChildChannel {
    let tls: ServerTLSContext
    let inner: Inner

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Inner.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TLSServerHandler(tls))
        }.flatMap {
            inner.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Inner.Value, logger: Logger) async {
        await inner.handle(value: value, logger: logger)
    }
}
