import Values

/// Purpose of a request: the first word of its metrics' names, also in the origin's ground truth.
///
/// Public: the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum RequestKind: UInt8, NamedCase, Codable, CodingKeyRepresentable, Sendable {
    case registration, multivariant, playlist, segment, podManifest, podPlaylist, podSegment
    case metadata, verification, assetList, assetManifest
    /// The server holds the playlist back until it has news: its time includes the hold.
    case blockingPlaylist
    /// A partial segment, or one that was hinted at.
    case part
    case steering
    /// A tracking ping of ad creative signalling.
    case beacon
    /// New targeting parameters of a running session.
    case sessionUpdate
    /// A key of KEYFORMAT `identity`, for segments that are loaded; nothing is decrypted.
    case key
    /// OPTIONS, by which a browser asks whether a page may send a request.
    case preflight

    package static let names = CaseNames<Self>()

    /// Whether all viewers may send theirs at one instant, to begin a break.
    @inlinable public var beginsBreak: Bool {
        switch self {
        case .podManifest, .assetList: true
        default: false
        }
    }

    /// Whether the server delays the answer on purpose: its time does not measure the server's speed.
    public var isHeldBack: Bool { self == .blockingPlaylist }

    /// The kind's name.
    public var codingKey: any CodingKey { name.codingKey }

    /// Nil for an unknown name.
    public init?(codingKey: some CodingKey) { self.init(name: codingKey.stringValue) }

    /// Throws `DecodingError` for an unknown name.
    public init(from decoder: any Decoder) throws {
        let name = try String(from: decoder)
        guard let kind = Self(name: name) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: name))
        }
        self = kind
    }

    /// Writes the kind's name.
    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

/// Microseconds; the middle word of a latency metric's name; public as ``RequestKind`` is.
public enum LatencyMetric: UInt8, NamedCase, Sendable {
    /// Planned to sent less connecting: the generator's own delay, never the target's.
    case lateness
    /// Sent to received: the time of the target and the network.
    case service
    /// Planned to received: the time that a viewer would have felt (no coordinated omission).
    case response
    /// Sent to the first byte of the answer.
    case firstByte
    /// New connections only.
    case connect
    /// New TLS connections only.
    case tls
    /// Received by the kernel to read by its loop: the generator's own delay, of answers with a stamp only.
    case handling

    /// Number of cases, a constant for the recording of samples.
    @inlinable public static var count: Int { 7 }

    package static let names = CaseNames<Self>()
}

/// Public as ``RequestKind`` is.
public enum Carrier: UInt8, NamedCase, Sendable {
    /// podswarm's own HTTP/1.1.
    case exchange
    case curl

    /// Number of cases, a constant for the recording of samples.
    @inlinable public static var count: Int { 2 }

    package static let names = CaseNames<Self>()
}

/// Names in thresholds and results are the cases' names in snake case.
package protocol NamedCase: CaseIterable, Hashable, RawRepresentable<UInt8>, Sendable {
    static var names: CaseNames<Self> { get }
}

/// Both ways between cases and their names.
package struct CaseNames<Case: NamedCase>: Sendable {
    fileprivate let ofCases: [String]
    fileprivate let cases: [String: Case]

    /// Requires raw values from 0 on, without a gap; `others` are not named like their case.
    package init(_ others: [Case: String] = [:]) {
        let cases = Array(Case.allCases)
        ofCases = cases.map { others[$0] ?? MemberName.of("\($0)") }
        self.cases = Dictionary(zip(ofCases, cases)) { first, _ in first }
    }
}

extension NamedCase {
    package var name: String { Self.names.ofCases[Int(rawValue)] }

    package init?(name: String) {
        guard let named = Self.names.cases[name] else { return nil }
        self = named
    }
}
