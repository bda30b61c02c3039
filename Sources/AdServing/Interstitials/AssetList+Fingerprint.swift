extension AssetList {
    /// Query parameters whose values are a viewer's or a moment's own, in lower case.
    private static let ownParameters: Set<String> = [
        "stream_id", "_hls_primary_id", "session", "session_id", "sessionid", "sid", "token", "auth-token",
        "auth_token", "access_token", "sig", "signature", "hdnts", "hdnea", "expires", "exp", "nonce", "ts", "cb",
        "correlator",
    ]

    /// A hash of what the list plays, without the viewer's own ids: equal for viewers that should see the same ads.
    ///
    /// - Parameter own: Identifiers of the viewer, wherever they stand in a URI.
    /// - Returns: A value that is the same on every machine.
    package func fingerprint(withoutOwn own: [String]) -> UInt64 {
        let spellings = own.filter { !$0.isEmpty }.flatMap { [$0, PercentEncoding.encode($0)] }
        var hash = RunHash()
        for asset in assets {
            var text = Self.withoutOwnParameters(asset.uri)
            for spelling in spellings { text = text.replacing(spelling, with: "*") }
            text += " \(asset.duration)"
            text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        }
        return hash.value
    }

    private static func withoutOwnParameters(_ uri: String) -> String {
        guard let mark = uri.firstIndex(of: "?") else { return uri }
        let pairs = uri[uri.index(after: mark)...].split(separator: "&").filter { pair in
            !ownParameters.contains(pair.prefix { $0 != "=" }.lowercased())
        }
        return uri[..<mark] + "?" + pairs.joined(separator: "&")
    }
}
