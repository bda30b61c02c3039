import AdServing
import Audience
import LoadProfile

/// What players tell CDNs of a request and of the session it belongs to: Common Media Client Data (CTA-5004).
///
/// Keys that follow from what is asked for and from the viewer are sent: `cid`, `ot`, `sf`, `sid` and `st`. Those that follow
/// from a player's buffer and its choice of renditions (`bl`, `br`, `mtp`, `nor` and others) are not.
struct ClientData: Sendable {
    private let plan: ClientDataPlan

    init(_ plan: ClientDataPlan) { self.plan = plan }

    /// An address with what is told in its query, and header fields that tell it.
    ///
    /// - Parameters:
    ///   - role: Why it is asked.
    ///   - url: The address.
    ///   - viewer: Who asks.
    /// - Returns: The same address and no fields, where nothing is told of such a request.
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
            // In the order of the alphabet, so that the same data are the same bytes.
            let value = (session + ["ot=\(type)"]).sorted().joined(separator: ",")
            let sign = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return ("\(url)\(sign)CMCD=\(PercentEncoding.encode(value))", [])
        }
    }

    /// The kind of what is asked for (`ot`); nil for what is no part of the stream.
    ///
    /// Segments are taken for muxed ones (`av`).
    private static func objectType(of role: ViewerRole) -> String? {
        switch role {
        case .multivariant, .playlist, .blockingPlaylist, .podManifest, .podRepeat, .podPlaylist: "m"
        case .podRepeatPlaylist, .assetManifest: "m"
        case .segment, .podSegment, .part: "av"
        case .assetList: "o"
        case .registration, .metadata, .verification, .beacon, .steering, .sessionUpdate: nil
        }
    }

    /// A string as its quotes allow it, of at most 64 characters.
    private static func quoted(_ text: String) -> String {
        let escaped = text.prefix(64).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
