import AdServing
import Profile
import Values
import Viewer

/// Common Media Client Data (CTA-5004), without keys of a player's buffer and renditions (`bl`, `br`, `mtp`, `nor` and others).
struct ClientData: Sendable {
    private let plan: ClientDataPlan

    init(_ plan: ClientDataPlan) { self.plan = plan }

    func told(
        _ role: ViewerRole,
        url: String,
        by viewer: ViewerIdentity
    ) -> (url: String, fields: [(name: String, value: String)]) {
        guard let type = Self.objectType(of: role) else { return (url, []) }
        var session = ["sf=h", "sid=\(Self.quoted(viewer.primaryID))", "st=l"]
        if let content = plan.contentID { session.insert("cid=\(Self.quoted(viewer.filled(content)))", at: 0) }
        switch plan.carriage {
        case .header:
            return (url, [("CMCD-Object", "ot=\(type)"), ("CMCD-Session", session.joined(separator: ","))])
        case .query:
            // In alphabetical order, so that the same data are the same bytes.
            let value = (session + ["ot=\(type)"]).sorted().joined(separator: ",")
            let sign = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return ("\(url)\(sign)CMCD=\(PercentEncoding.encode(value))", [])
        }
    }

    /// Segments are muxed (`av`); nil for requests outside of the stream.
    private static func objectType(of role: ViewerRole) -> String? {
        switch role {
        case .multivariant, .playlist, .blockingPlaylist, .podManifest, .podRepeat, .podPlaylist: "m"
        case .podRepeatPlaylist, .assetManifest: "m"
        case .segment, .podSegment, .part: "av"
        case .assetList: "o"
        case .key: "k"
        case .registration, .metadata, .verification, .beacon, .steering, .sessionUpdate: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.prefix(64).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
