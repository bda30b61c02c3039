package import Rulebook

/// One of the slowest answers of a run, as text that may leave the process.
package struct SlowAnswer: Hashable, Sendable {
    package var kind: RequestKind
    /// Empty for a request that belongs to no break.
    package var breakKey: String
    /// Planned to done.
    package var responseMicroseconds: Int64
    /// When the viewer wanted the request on its way, since the Unix epoch.
    package var wallMicroseconds: Int64
    package var viewer: Int
    /// How it ended, as `Outcome.code` spells it.
    package var outcome: String
    /// What was asked for, redacted.
    package var url: String
    package var served: ServedBy

    package init(
        kind: RequestKind,
        breakKey: String,
        responseMicroseconds: Int64,
        wallMicroseconds: Int64,
        viewer: Int,
        outcome: String,
        url: String,
        served: ServedBy
    ) {
        self.kind = kind
        self.breakKey = Evidence.bounded(breakKey)
        self.responseMicroseconds = responseMicroseconds
        self.wallMicroseconds = wallMicroseconds
        self.viewer = viewer
        self.outcome = outcome
        self.url = Evidence.bounded(url)
        self.served = served
    }

    /// Whether it stands before another one: the slower first, then the earlier.
    func precedes(_ other: SlowAnswer) -> Bool {
        let own = (-responseMicroseconds, wallMicroseconds, viewer, breakKey, url, outcome)
        let others = (
            -other.responseMicroseconds, other.wallMicroseconds, other.viewer, other.breakKey, other.url, other.outcome
        )
        return own == others ? served < other.served : own < others
    }
}

extension SlowAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case breakKey = "break"
        case response = "response_us"
        case wall = "wall_us"
        case viewer
        case outcome
        case url
        case head
        case address
        case trace
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .kind)
        guard let kind = RequestKind(name: name) else {
            throw DecodingError.dataCorruptedError(forKey: .kind, in: values, debugDescription: name)
        }
        let response = try values.decode(Int64.self, forKey: .response)
        guard (0...Int64.max / 2).contains(response) else {
            throw DecodingError.dataCorruptedError(forKey: .response, in: values, debugDescription: "\(response)")
        }
        self.init(
            kind: kind,
            breakKey: try values.decodeIfPresent(String.self, forKey: .breakKey) ?? "",
            responseMicroseconds: response,
            wallMicroseconds: try values.decode(Int64.self, forKey: .wall),
            viewer: try values.decode(Int.self, forKey: .viewer),
            outcome: try values.decode(String.self, forKey: .outcome),
            url: try values.decode(String.self, forKey: .url),
            served: ServedBy(
                head: try values.decodeIfPresent(String.self, forKey: .head) ?? "",
                address: try values.decodeIfPresent(String.self, forKey: .address) ?? "",
                traceID: try values.decodeIfPresent(String.self, forKey: .trace) ?? ""
            )
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind.name, forKey: .kind)
        try values.encode(responseMicroseconds, forKey: .response)
        try values.encode(wallMicroseconds, forKey: .wall)
        try values.encode(viewer, forKey: .viewer)
        try values.encode(outcome, forKey: .outcome)
        try values.encode(url, forKey: .url)
        for (key, text) in [
            (CodingKeys.breakKey, breakKey), (.head, served.head), (.address, served.address),
            (.trace, served.traceID),
        ] where !text.isEmpty { try values.encode(text, forKey: key) }
    }
}
