import HLS

/// Removes secrets from texts that leave the process.
///
/// CDNs name their tokens freely, so only parameters with known harmless names keep their values. Paths identify the request,
/// so only parts that look like secrets are replaced.
package enum Redaction {
    private static let harmlessNames: Set<String> = [
        WireName.podDurationParameter, WireName.scte35Parameter, "_HLS_msn", "_HLS_part", "_HLS_skip",
        InterstitialQuery.startOffsetParameter, "_HLS_interstitial_id", WireName.MediaTailor.insertionModeParameter,
        WireName.MediaTailor.reportingModeParameter,
    ]

    static let mark = "…"
    /// Bytes; longer references show only their origin, because a search through megabytes takes seconds.
    private static let longestShown = 16 << 10

    package static func url(_ url: String, own: StreamID?) -> String {
        guard url.utf8.count <= longestShown else { return reference(Array(url.utf8)[...], own: own, isAddress: true) }
        let known = KnownSecrets.ofThisProcess.hidden(in: url, own: own)
        return reference(Array(known.utf8)[...], own: own, isAddress: true)
    }

    /// Redacts a whole text as one reference, absolute or relative.
    ///
    /// Without `isAddress` it may be a request id or a cue in base64: only paths to files lose opaque words.
    static func reference(_ reference: ArraySlice<UInt8>, own: StreamID?, isAddress: Bool = false) -> String {
        guard reference.count <= longestShown else {
            return self.reference(origin(of: reference), own: own, isAddress: isAddress) + mark
        }
        let pieces = reference.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
        let place = resource(pieces.first ?? [], own: own, isAddress: isAddress)
        // No server receives the fragment behind an address.
        guard pieces.count > 1, !isAddress else { return place }
        let rest = pieces.dropFirst()
        guard !isPlace(pieces[0]), rest.allSatisfy({ $0.count <= longestRemark }) else { return "\(place)#\(mark)" }
        return rest.reduce(place) { "\($0)#\(resource($1, own: own, isAddress: false))" }
    }

    /// Bytes behind a `#` that are shown: a token is longer.
    private static let longestRemark = 8

    private static func resource(_ reference: ArraySlice<UInt8>, own: StreamID?, isAddress: Bool) -> String {
        // A key may follow the comma of a data URL (RFC 2397).
        if isData(reference), let comma = reference.firstIndex(of: UInt8(ascii: ",")) {
            return string(reference[...comma]) + mark
        }
        guard let question = reference.firstIndex(of: UInt8(ascii: "?")) else {
            return path(reference, own: own, isAddress: isAddress)
        }
        let shownPath = path(reference[..<question], own: own, isAddress: isAddress)
        let shown = reference[(question + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { parameter($0, own: own) }
        return shownPath + "?" + shown.joined(separator: "&")
    }

    private static func origin(of reference: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let head = reference.prefix(512)
        let slashes = head.indices.filter { head[$0] == UInt8(ascii: "/") }
        guard slashes.count > 2, slashes[1] == slashes[0] + 1 else { return [] }
        return head[...slashes[2]]
    }

    static func isData(_ reference: ArraySlice<UInt8>) -> Bool {
        string(reference.drop { $0 == UInt8(ascii: " ") }.prefix(5)).lowercased() == "data:"
    }

    private static func isPlace(_ text: ArraySlice<UInt8>) -> Bool {
        if isData(text) || text.contains(where: { "/?".utf8.contains($0) }) { return true }
        guard let dot = text.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return text[(dot + 1)...].first?.isLetter ?? false
    }

    private static func path(_ path: ArraySlice<UInt8>, own: StreamID?, isAddress: Bool) -> String {
        let bytes = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var parts = bytes.map(string)
        // "https:" or nothing, "", "user:password@host"
        let hasAuthority = parts.count > 2 && (parts[0].isEmpty || parts[0].hasSuffix(":")) && parts[1].isEmpty
        // Base64 has slashes, and no full stop.
        let isPath = isAddress || parts.count > 1 && path.contains(UInt8(ascii: "."))
        for index in parts.indices {
            if let shown = ownID(in: bytes[index], own) {
                parts[index] = shown
            } else if index > 0, !parts[index].isEmpty, SecretShape.isHolder(string(bytes[index - 1])) {
                parts[index] = mark
            } else {
                parts[index] = SecretShape.shown(
                    pathSegment: bytes[index],
                    hidesOpaque: isPath && !(hasAuthority && index == 2)
                )
            }
        }
        if hasAuthority, let at = parts[2].utf8.lastIndex(of: UInt8(ascii: "@")) { parts[2] = mark + parts[2][at...] }
        let shown = parts.joined(separator: "/")
        return holdsOwn(shown, own) ? mark : shown
    }

    private static func parameter(_ pair: ArraySlice<UInt8>, own: StreamID?) -> String {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
            return ownID(in: pair, own) ?? (pair.isEmpty ? "" : mark)
        }
        let name = string(pair[..<equals])
        let value = pair[(equals + 1)...]
        // Only padding of base64 follows: the name is part of a value.
        if value.allSatisfy({ $0 == UInt8(ascii: "=") }) { return ownID(in: pair, own) ?? mark }
        if harmlessNames.contains(name), SecretShape.isSimple(value) { return ownID(in: pair, own) ?? string(pair) }
        return "\(name)=" + (ownID(in: value, own) ?? mark)
    }

    package static func hidesValues(of name: String) -> Bool { SecretShape.isSecretName(name) }

    /// Like `hidesValues(of:)` for values that many viewers share, assuming that a kind of device or player may be shown.
    package static func hidesSharedValues(of name: String) -> Bool {
        let capitals = name.uppercased()
        guard !capitals.contains("ID") else { return hidesValues(of: name) }
        return hidesValues(of: capitals.replacing("DEVICE", with: "").replacing("USER-AGENT", with: ""))
    }

    /// Whether a value that follows `text`, in what is sent as `name`, is a secret: the nearest name decides.
    package static func hidesSharedValue(after text: String, in name: String) -> Bool {
        let start = text.lastIndex { "?&;,{\n".contains($0) }.map(text.index(after:)) ?? text.startIndex
        let parts = text[start...].split(separator: "/", omittingEmptySubsequences: false)
        // The colons of a URL are not behind names.
        let place = text[start...].contains("://") ? parts.last ?? "" : text[start...]
        if let mark = place.lastIndex(where: { $0 == "=" || $0 == ":" }) {
            let nearest = place[..<mark].split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.last
            if let nearest { return hidesSharedValues(of: String(nearest)) }
        }
        guard parts.count > 1 else { return hidesSharedValues(of: name) }
        return announcesSecret(parts[parts.count - 2]) || hidesSharedValues(of: String(parts[parts.count - 1]))
    }

    /// True for a UUID, a JSON web token, an opaque word, and parameters in a path.
    package static func looksSecret(_ piece: some StringProtocol) -> Bool {
        let bytes = Array(piece.utf8)
        return SecretShape.shown(pathSegment: bytes[...], hidesOpaque: true) != String(piece)
    }

    /// A mark for a hidden value, with a short hash to distinguish two.
    package static func hash(of value: String) -> String { mark + StreamID(value).redacted.suffix(8) }

    /// Channels are named by UUIDs as well as sessions.
    package static func holdsUUID(_ piece: some StringProtocol) -> Bool {
        SecretShape.holdsUUID(Array(piece.utf8)[...])
    }

    /// Whether a session or token follows this piece.
    ///
    /// Excludes `stream`, which precedes a channel's name as often.
    package static func announcesSecret(_ piece: some StringProtocol) -> Bool {
        SecretShape.isHolder(String(piece)) && !piece.lowercased().hasPrefix("stream")
    }

    static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    package static func holdsOwn(_ text: String, _ own: StreamID?) -> Bool {
        ownID(in: Array(text.utf8)[...], own) != nil
    }

    static func ownID(in piece: ArraySlice<UInt8>, _ own: StreamID?) -> String? {
        guard let own, !own.rawValue.isEmpty, piece.withUnsafeBytes(OwnID(own.rawValue).occurs) else { return nil }
        return own.redacted
    }

    /// Names in `observed` the masked values that differ: two addresses with different signatures would be equal texts.
    package static func pair(
        expected: String,
        observed: String,
        own: StreamID?
    ) -> (expected: String, observed: String) {
        let shown = (expected: text(expected, own: own), observed: text(observed, own: own))
        guard expected != observed, shown.expected.contains(mark), shown.observed.contains(mark) else { return shown }
        let (left, right) = (values(in: expected), values(in: observed))
        let masked = values(in: shown.expected).filter { $0.value.contains(mark) }
        var names: [String] = []
        // Only names that both texts show: what looks like a name in the raw text may be a part of a secret.
        for (name, value) in values(in: shown.observed)
        where value.contains(mark) && !names.contains(name) && masked.contains(where: { $0.name == name }) {
            let isSame = left.filter { $0.name == name }.map(\.value) == right.filter { $0.name == name }.map(\.value)
            if !isSame { names.append(name) }
            if names.count == mostNames { break }
        }
        if !names.isEmpty {
            return (shown.expected, "differs in the masked \(names.joined(separator: ", ")): \(shown.observed)")
        }
        guard shown.expected == shown.observed else { return shown }
        return (shown.expected, "differs in what is masked: \(shown.observed)")
    }

    private static let mostNames = 8
    private static let mostValues = 64

    private static func values(in text: String) -> [(name: String, value: String)] {
        text.utf8.prefix(longestCompared).split(maxSplits: .max) { separators.contains($0) }.prefix(mostValues * 4)
            .compactMap { piece -> (name: String, value: String)? in
                guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), equals > piece.startIndex else {
                    return nil
                }
                let value = piece[piece.index(after: equals)...]
                return (String(Substring(piece[..<equals])), String(Substring(value)))
            }
    }

    private static let longestCompared = 16 << 10
    private static let separators = Set("?&;,\" \t\r\n#".utf8)
}

extension UnsafeRawBufferPointer {
    /// The standard library's search is not specialised for bytes: it takes a hundred times as long.
    func place(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, count >= bytes.count else { return nil }
        return (0...count - bytes.count).first { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
