import Foundation

/// The registration of a stream session: a POST of ``formBody()`` to ``path()``.
package struct RegistrationRequest: Hashable, Sendable {
    package var event: NetworkEvent
    /// By name, values not encoded; `cust_params` holds its own `k=v&k2=v2` pairs in plain text.
    package var adTagParameters: [String: String]
    package var authToken: String?

    package init(event: NetworkEvent, adTagParameters: [String: String] = [:], authToken: String? = nil) {
        self.event = event
        self.adTagParameters = adTagParameters
        self.authToken = authToken
    }

    package func path() -> String {
        WireName.registrationPrefix + event.path + WireName.registrationSuffix
    }

    /// The parameters as `application/x-www-form-urlencoded`, sorted by name.
    ///
    /// The value of `cust_params` is itself a percent-encoded string, so in the body it is encoded twice.
    package func formBody() -> String {
        parameters.sorted { $0.key < $1.key }
            .map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

    /// The parameters as a JSON object of texts, sorted by name.
    package func jsonBody() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(parameters)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private var parameters: [String: String] {
        var parameters = adTagParameters
        for (name, text) in parameters { parameters[name] = Self.value(text, of: name) }
        if let authToken {
            parameters[WireName.authTokenParameter] = authToken
        }
        return parameters
    }

    /// The value of a parameter before the body's own encoding: of `cust_params` an encoded string, else the text itself.
    package static func value(_ text: String, of name: String) -> String {
        name == WireName.customParametersParameter ? PercentEncoding.encode(text) : text
    }
}
