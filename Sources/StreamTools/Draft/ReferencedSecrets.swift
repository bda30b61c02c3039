import AdServing

/// What of an address and its headers is a secret, or looks like one, each in place of its value as an environment
/// reference.
package struct ReferencedSecrets: Sendable {
    /// One value that the profile does not hold.
    package struct Secret: Hashable, Sendable {
        /// Of the environment.
        package var variable: String
        /// Where somebody who has the address finds the value, such as `token in the URL's query`.
        package var place: String
        /// As the address spells it; never shown.
        package var value: String
        /// Where it was given.
        package var part: Part

        /// What it is a piece of.
        package enum Part: Sendable {
            case header, path, query
        }
    }

    /// Those of the headers first, then in the order of the address.
    package private(set) var all: [Secret] = []
    /// Name and value of each header as the profile has it.
    private(set) var headers: [(name: String, value: String)] = []
    /// Value of each variable that a header was given with, for it is set already.
    package private(set) var environment: [String: String] = [:]
    /// The path with references in it, from its slash; empty where the address has none.
    private(set) var path = ""
    /// The query with references in it, without its question mark; empty where there is none.
    private(set) var query = ""
    /// Name and value of each parameter, with references in place of secret values.
    private(set) var parameters: [(name: String, value: String)] = []
    /// To be found wherever the stream repeats one.
    private var known = KnownSecrets([])

    /// Finds them.
    ///
    /// - Parameters:
    ///   - address: Of the stream.
    ///   - given: What is sent besides.
    ///   - keepsPath: Whether somebody says that nothing in the path is a secret.
    package init(in address: StreamAddress, headers given: [StreamHeader] = [], keepsPath: Bool = false) {
        for header in given { environment.merge(header.environment) { _, new in new } }
        for header in given {
            let reference =
                header.isTellable
                ? nil : reference(to: header.name, header.value, "the header \(header.name)", of: .header)
            headers.append((header.name, reference ?? header.written))
        }
        // What is a secret in one place is one in every other: they are looked for once all are known.
        var first = self
        first.read(address, keepsPath)
        known = KnownSecrets(first.values)
        read(address, keepsPath)
        known = KnownSecrets(values)
    }

    private mutating func read(_ address: StreamAddress, _ keepsPath: Bool) {
        // Whoever keeps the path has not looked at whether it repeats what the query holds.
        let plain = keepsPath ? Self.plainPath(of: address) : nil
        path = plain.flatMap { isRepeated(in: $0) ? nil : $0 } ?? path(of: address)
        query = query(of: address)
    }

    /// What may be told of a text of the stream: the same with a mark in place of every secret, however it is spelled.
    func told(_ text: String) -> String { known.hidden(in: text) }

    /// Whether a text repeats a secret.
    func isRepeated(in text: some StringProtocol) -> Bool { told(String(text)) != String(text) }

    /// What must not be told of what was given, in every spelling that is known.
    package var values: [String] {
        all.flatMap { [$0.value, PercentEncoding.decode($0.value)] } + environment.values
    }

    /// Whether a text holds one of them, or what looks like one.
    func mayTell(_ text: String) -> Bool {
        !Redaction.looksSecret(text) && !isRepeated(in: text)
    }

    private static func plainPath(of address: StreamAddress) -> String {
        let url = address.url.prefix { $0 != "?" }
        return String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
    }

    private mutating func path(of address: StreamAddress) -> String {
        let pieces = Self.plainPath(of: address).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init
        )
        var told: [String] = []
        for (index, piece) in pieces.enumerated() {
            // The name of a playlist says so by its ending, whatever stands before that.
            let ending = [".m3u8", ".m3u"].first { piece.lowercased().hasSuffix($0) } ?? ""
            let stem = piece.dropLast(ending.count)
            let isAnnounced =
                index > 0 && index < pieces.count - 1 && Redaction.announcesSecret(pieces[index - 1])
                && Self.mayBeSecret(stem)
            let looksSecret = isAnnounced || Redaction.looksSecret(stem)
            guard !stem.isEmpty, isRepeated(in: stem) || looksSecret && !Self.isPublicName(index, in: pieces) else {
                told.append(piece)
                continue
            }
            let place =
                "piece \(index) of the URL's path\(ending.isEmpty ? "" : ", without \(ending)")"
                + (Redaction.holdsUUID(stem) ? ", a UUID" : "")
            told.append(reference(to: "path_token", String(stem), place, of: .path) + piece.suffix(ending.count))
        }
        return told.joined(separator: "/")
    }

    /// Whether a piece is more than a word in small letters, and long enough to be looked for in what is printed.
    private static func mayBeSecret(_ piece: Substring) -> Bool {
        piece.utf8.count >= KnownSecrets.shortest
            && piece.unicodeScalars.contains { ("0"..."9").contains($0) || ("A"..."Z").contains($0) }
    }

    /// Whether a piece is a name that AWS gives to an account or a channel, which everybody who watches knows: MediaTailor's
    /// after `/v1/master/`, MediaPackage's after `/out/v1/`.
    private static func isPublicName(_ index: Int, in pieces: [String]) -> Bool {
        guard index == 3 else { return false }
        return pieces[1...2] == ["v1", "master"] || pieces[1...2] == ["out", "v1"]
    }

    private mutating func query(of address: StreamAddress) -> String {
        var pieces: [String] = []
        for (given, value) in address.parameters {
            guard let value else {
                let isSecret = Redaction.looksSecret(given) || isRepeated(in: given)
                let written =
                    isSecret
                    ? reference(to: "query_token", given, "what has no name in the URL's query", of: .query) : given
                parameters.append((written, ""))
                pieces.append(written)
                continue
            }
            let isNamed = Redaction.hidesValues(of: PercentEncoding.decode(given))
            let isSecret = !value.isEmpty && (isNamed || Redaction.looksSecret(value) || isRepeated(in: value))
            let name =
                isRepeated(in: given)
                ? reference(to: "query_name", given, "the name of a parameter of the URL's query", of: .query) : given
            // A variable has the name of its parameter, unless that is a secret itself.
            let stem = name == given ? given : "query_value"
            let written = isSecret ? reference(to: stem, value, "\(name) in the URL's query", of: .query) : value
            parameters.append((name, written))
            pieces.append("\(name)=\(written)")
        }
        return pieces.joined(separator: "&")
    }

    /// The reference to a value: one variable for each, but for headers, whose values are told apart by their names.
    private mutating func reference(to name: String, _ value: String, _ place: String, of part: Secret.Part) -> String {
        if part != .header {
            let given = environment.filter { $0.value == value }.keys.min()
            if let known = given ?? all.first(where: { $0.value == value })?.variable { return "${\(known)}" }
        }
        let plain = name.uppercased().unicodeScalars.map { scalar in
            ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
        }
        let stem = "STREAM_" + String(plain.prefix(40))
        var variable = stem
        var number = 2
        while environment[variable] != nil || all.contains(where: { $0.variable == variable }) {
            variable = "\(stem)_\(number)"
            number += 1
        }
        all.append(Secret(variable: variable, place: place, value: value, part: part))
        return "${\(variable)}"
    }
}
