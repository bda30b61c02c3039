package import AdServing

/// Takes out of a URL what must not leave the process: stream ids, tokens and targeting values.
package enum Redaction {
    private static let secretNames: Set<String> = [
        WireName.streamIDParameter, WireName.authTokenParameter, WireName.customParametersParameter,
    ]

    /// The URL with secrets replaced; `own` is also masked where it stands in the path.
    package static func url(_ url: String, own: StreamID?) -> String {
        var masked = url
        if let own {
            masked = self.replacing(own.rawValue, in: masked, with: own.redacted)
            masked = self.replacing(own.percentEncoded, in: masked, with: own.redacted)
        }
        guard let question = masked.firstIndex(of: "?") else { return masked }
        let query = masked[masked.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = query.map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            guard self.secretNames.contains(String(name)), !(own.map { pair.hasSuffix($0.redacted) } ?? false) else {
                return String(pair)
            }
            return "\(name)=…"
        }
        return masked[...question] + kept.joined(separator: "&")
    }

    private static func replacing(_ secret: String, in text: String, with replacement: String) -> String {
        guard !secret.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: secret) {
            result += rest[..<range.lowerBound]
            result += replacement
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
