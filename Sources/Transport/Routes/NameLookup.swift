import Destinations
import Dispatch
import EventLoop
import Sockets

/// Looks up the addresses of origins, each once for all who wait for them; never blocks the loop.
///
/// Confined to its loop.
final class NameLookup {
    private let loop: EventLoop
    private let overrides: [String]

    /// `overrides` are fixed look-ups in the form of `CURLOPT_RESOLVE`.
    init(loop: EventLoop, overrides: [String]) {
        self.loop = loop
        self.overrides = overrides
    }

    /// Whether an origin's addresses need no look-up: a fixed one, or a numeric host.
    ///
    /// The route has them then.
    func knowsAtOnce(_ route: Route) -> Bool {
        let host = route.target.host
        let port = route.target.port
        let fixed = ResolveOverride.addresses(of: host, port: port, in: overrides)
        route.addresses = fixed.isEmpty ? SocketAddress(numeric: host, port: port).map { [$0] } ?? [] : fixed
        return !route.addresses.isEmpty
    }

    /// Asks for an origin's addresses unless that is under way.
    ///
    /// - Parameters:
    ///   - route: Has its addresses afterwards, or none where its name stands for none.
    ///   - done: Called on the loop, once for each look-up that was begun.
    func lookUp(_ route: Route, _ done: @escaping () -> Void) {
        guard !route.isResolving else { return }
        route.isResolving = true
        let host = route.target.host
        let port = route.target.port
        let answer = LoopReturn<[SocketAddress]>(loop: loop) { addresses in
            route.isResolving = false
            route.addresses = addresses
            done()
        }
        DispatchQueue.global(qos: .userInitiated).async { answer.give(SocketAddress.lookUp(host, port: port)) }
    }
}

/// Brings what another thread found back to the loop.
///
/// `@unchecked Sendable`: the closure is called and let go on the loop only.
private final class LoopReturn<Value: Sendable>: @unchecked Sendable {
    private let loop: EventLoop
    private var take: ((Value) -> Void)?

    init(loop: EventLoop, _ take: @escaping (Value) -> Void) {
        self.loop = loop
        self.take = take
    }

    func give(_ value: Value) {
        loop.execute { [self] in
            take?(value)
            take = nil
        }
    }
}

/// Fixed look-ups in the form of `CURLOPT_RESOLVE`: `host:port:address[,address]...`.
enum ResolveOverride {
    static func addresses(of host: String, port: UInt16, in overrides: [String]) -> [SocketAddress] {
        let prefix = "\(host):\(port):"
        for text in overrides {
            let entry = text.hasPrefix("+") ? text.dropFirst() : text[...]
            guard entry.lowercased().hasPrefix(prefix) else { continue }
            let addresses = entry.dropFirst(prefix.count).split(separator: ",").compactMap { address in
                let bare = address.hasPrefix("[") ? address.dropFirst().dropLast() : address
                return SocketAddress(numeric: String(bare), port: port)
            }
            if !addresses.isEmpty { return addresses }
        }
        return []
    }
}
