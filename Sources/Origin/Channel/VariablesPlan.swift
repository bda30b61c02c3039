/// The channel plan's `variables` section: EXT-X-DEFINE in the channel's playlists (bis-22 section 4.4.2.3).
struct VariablesPlan: Sendable, Equatable {
    /// Name of a variable that the multivariant playlist defines, media playlists import and their URIs begin with.
    var base: String?
    /// Name of a query parameter that every URI passes on.
    ///
    /// Media is refused without it.
    ///
    /// Defined by NAME in the multivariant playlist, by QUERYPARAM in media playlists.
    var token: String?

    static func read(_ node: PlanNode) -> VariablesPlan {
        node.refuseUnknownKeys(allowed: ["base", "token"])
        let plan = VariablesPlan(base: name(node, "base"), token: name(node, "token"))
        if let base = plan.base, base == plan.token { node.note("base and token must be different names") }
        return plan
    }

    /// Names have letters, digits, `-` and `_` (bis-22 section 4.3).
    ///
    /// Names that begin with `_HLS_` are reserved.
    private static func name(_ node: PlanNode, _ key: String) -> String? {
        guard let name = node.text(key) else { return nil }
        let isAllowed = name.utf8.allSatisfy { $0.isUnreserved && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
        guard isAllowed, !name.hasPrefix("_HLS_") else {
            node[key]?.note("\(key) must be made of letters, digits, '-' and '_', and not begin with _HLS_")
            return nil
        }
        return name
    }

    /// The lowest EXT-X-VERSION that media playlists need (bis-22 section 8).
    var mediaVersion: Int { token != nil ? 11 : base != nil ? 8 : 1 }
    /// The lowest EXT-X-VERSION that the multivariant playlist needs.
    var multivariantVersion: Int { token != nil || base != nil ? 8 : 1 }
}
