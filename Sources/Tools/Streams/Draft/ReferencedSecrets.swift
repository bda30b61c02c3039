import AdServing
import Values

/// Secrets in a URL and its headers, replaced by references to the environment.
package struct ReferencedSecrets: Sendable {
    /// A value that the profile does not hold.
    package struct Secret: Hashable, Sendable {
        package var variable: String
        /// Such as `token in the URL's query`.
        package var place: String
        /// As the URL spells it; never printed.
        package var value: String
        package var part: Part

        package enum Part: Sendable {
            case header, path, query
        }
    }

    /// Headers first, then in the order of the URL.
    package private(set) var all: [Secret] = []
    private(set) var headers: [(name: String, value: String)] = []
    /// Variables that the user's headers already refer to.
    package private(set) var environment: [String: String] = [:]
    /// From the slash; empty without one.
    private(set) var path = ""
    /// Without the question mark.
    private(set) var query = ""
    private(set) var parameters: [(name: String, value: String)] = []
    /// Finds secrets that the stream repeats elsewhere.
    private var known = KnownSecrets([])

    package init(in address: StreamAddress, headers given: [StreamHeader] = [], keepsPath: Bool = false) {
        for header in given { environment.merge(header.environment) { _, new in new } }
        for header in given {
            let reference =
                header.isTellable
                ? nil : reference(to: header.name, header.value, "the header \(header.name)", of: .header)
            headers.append((header.name, reference ?? header.written))
        }
        // A secret in one place is one in every other place: the second pass knows all.
        var first = self
        first.read(address, keepsPath)
        known = KnownSecrets(first.values)
        read(address, keepsPath)
        known = KnownSecrets(values)
    }

    private mutating func read(_ address: StreamAddress, _ keepsPath: Bool) {
        // A user who keeps the path has not checked whether it repeats a secret of the query.
        let plain = keepsPath ? address.path : nil
        path = plain.flatMap { isRepeated(in: $0) ? nil : $0 } ?? path(of: address)
        query = query(of: address)
    }

    /// Marks secrets in any spelling.
    func told(_ text: String) -> String { known.hidden(in: text) }

    func isRepeated(in text: some StringProtocol) -> Bool { told(String(text)) != String(text) }

    /// Must not be printed; as spelled and percent-decoded.
    package var values: [String] { all.flatMap { [$0.value, PercentEncoding.decode($0.value)] } + environment.values }

    func mayTell(_ text: String) -> Bool { !Redaction.looksSecret(text) && !isRepeated(in: text) }

    private mutating func path(of address: StreamAddress) -> String {
        let pieces = address.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var told: [String] = []
        for (index, piece) in pieces.enumerated() {
            // The ending shows the name of a playlist, whatever stands before it.
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

    /// Not a plain word, and long enough to be found in printed text.
    private static func mayBeSecret(_ piece: Substring) -> Bool {
        piece.utf8.count >= KnownSecrets.shortest
            && piece.unicodeScalars.contains { ("0"..."9").contains($0) || ("A"..."Z").contains($0) }
    }

    /// AWS names that every viewer knows: MediaTailor's after `/v1/master/`, MediaPackage's after `/out/v1/`.
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
            // A variable is named after its parameter, unless that name is a secret.
            let stem = name == given ? given : "query_value"
            let written = isSecret ? reference(to: stem, value, "\(name) in the URL's query", of: .query) : value
            parameters.append((name, written))
            pieces.append("\(name)=\(written)")
        }
        return pieces.joined(separator: "&")
    }

    /// One variable per value; headers get one per name.
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
