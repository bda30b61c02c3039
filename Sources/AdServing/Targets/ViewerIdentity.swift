import Values

/// Data about one viewer that a target may receive.
package struct ViewerIdentity: Hashable, Sendable {
    package var number: Int
    /// The viewer's primary playback session, a UUID in text (bis-22 appendix D.4).
    package var primaryID: String
    /// The viewer's values of the audience's traits, by name.
    package var traits: [String: String]

    package init(number: Int, primaryID: String, traits: [String: String] = [:]) {
        self.number = number
        self.primaryID = primaryID
        self.traits = traits
    }

    /// Equal for a number in every run with one seed.
    package init(number: Int, seed: UInt64, traits: [String: String] = [:]) {
        self.init(number: number, primaryID: Self.primaryID(number: number, seed: seed), traits: traits)
    }

    var values: [URLTemplate.Placeholder: String] {
        var values: [URLTemplate.Placeholder: String] = [.viewer: String(number), .primaryID: primaryID]
        for (name, value) in traits { values[URLTemplate.Placeholder(trait: name)] = value }
        return values
    }

    /// Fills a profile's text; other text in braces is kept.
    package func filled(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return URLTemplate(body: text, traits: traits.keys).text(values)
    }

    /// Fills a profile's URL with percent-encoded values.
    package func filled(url text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return URLTemplate(body: text, traits: traits.keys).url(values)
    }

    /// Form of a random UUID (RFC 9562 section 5.4), in lower case like that of browsers.
    package static func primaryID(number: Int, seed: UInt64) -> String {
        var hash = RunHash()
        withUnsafeBytes(of: (seed, UInt64(truncatingIfNeeded: number))) { hash.add($0) }
        let high = hash.value
        withUnsafeBytes(of: high) { hash.add($0) }
        let low = hash.value
        return String(uuid: high, low)
    }
}
