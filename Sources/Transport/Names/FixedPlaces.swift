import Values

/// Host, in lower case, without brackets or a final dot, and port to connect to, as changed by `connectTo`.
typealias ConnectionPlace = (host: String, port: UInt16)

/// Places and addresses for which no name server is asked, as in curl's `--connect-to` and `--resolve`.
///
/// The first match counts; unreadable entries are ignored, because profiles are checked before.
struct FixedPlaces: Sendable {
    private struct Detour {
        /// nil stands for any host or port, in `to` for the origin's own.
        var fromHost: String?
        var fromPort: UInt16?
        var toHost: String?
        var toPort: UInt16?
    }

    private struct Answer {
        /// `*` for any host.
        var host: String
        var port: UInt16
        var addresses: [SocketAddress]
    }

    private let detours: [Detour]
    private let answers: [Answer]

    init(resolve: [String], connectTo: [String]) {
        answers = resolve.compactMap(Self.answer)
        detours = connectTo.compactMap(Self.detour)
    }

    func place(of host: String, port: UInt16) -> ConnectionPlace {
        let entry = detours.first {
            ($0.fromHost ?? host) == host && ($0.fromPort ?? port) == port
        }
        return (entry?.toHost ?? host, entry?.toPort ?? port)
    }

    /// Empty where a name server is asked.
    func addresses(of place: ConnectionPlace) -> [SocketAddress] {
        if let address = SocketAddress(numeric: place.host, port: place.port) { return [address] }
        let entry =
            answers.first { $0.host == place.host && $0.port == place.port }
            ?? answers.first { $0.host == "*" && $0.port == place.port }
        return entry?.addresses ?? []
    }

    /// `HOST:PORT:ADDRESS[,ADDRESS]...`.
    private static func answer(_ text: String) -> Answer? {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let port = UInt16(parts[1]) else { return nil }
        let addresses = parts[2].split(separator: ",").compactMap {
            SocketAddress(numeric: bare($0), port: port)
        }
        guard !addresses.isEmpty else { return nil }
        return Answer(host: bare(parts[0]), port: port, addresses: addresses)
    }

    /// `HOST1:PORT1:HOST2:PORT2`; each part may be empty.
    private static func detour(_ text: String) -> Detour? {
        let parts = text.partsBetweenColons
        guard parts.count == 4 else { return nil }
        let hosts = [parts[0], parts[2]].map { $0.isEmpty ? nil : bare($0) }
        return Detour(fromHost: hosts[0], fromPort: UInt16(parts[1]), toHost: hosts[1], toPort: UInt16(parts[3]))
    }

    /// As in `RequestTarget`.
    private static func bare(_ text: Substring) -> String {
        let host = text.lowercased().withoutBrackets
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
