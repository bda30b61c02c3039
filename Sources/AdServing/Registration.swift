import Foundation
import Values

package struct RegistrationRequest: Hashable, Sendable {
    package var event: NetworkEvent
    /// Values are not encoded; `cust_params` holds its own `k=v&k2=v2` pairs in plain text.
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
    /// The value of `cust_params` is itself a percent-encoded string, so that the body encodes it twice.
    package func formBody() -> String {
        parameters.sorted { $0.key < $1.key }
            .map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
    }

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

    /// `cust_params` is encoded before the body's own encoding, any other value unchanged.
    package static func value(_ text: String, of name: String) -> String {
        name == WireName.customParametersParameter ? PercentEncoding.encode(text) : text
    }
}

/// Retry rules for failed registrations.
///
/// Ad Manager help, "Best practices for DAI errors": 4xx other than 429 is a mistake of the client and is not tried again; 429
/// and 5xx are. The IMA SDK tries its second host once. Delays double from one second.
package enum RegistrationFailurePolicy {
    package enum Host: String, Hashable, Sendable {
        case primary
        case backup
    }

    package enum Decision: Hashable, Sendable {
        case giveUp
        case retry(host: Host, after: Duration)
    }

    /// Total without a backup host.
    package static let maximumAttempts = 3

    /// Decides after attempt number `attempt`, counted from 1.
    ///
    /// A nil status is a transport failure. With a backup host, the first failure moves there at once and the second is final;
    /// without one, attempts follow after 1 and 2 seconds.
    package static func decide(status: Int?, attempt: Int, hasBackupHost: Bool) -> Decision {
        if let status, status != 429, !(500...599).contains(status) {
            return .giveUp
        }
        guard !hasBackupHost else {
            return attempt <= 1 ? .retry(host: .backup, after: .zero) : .giveUp
        }
        guard attempt < maximumAttempts else {
            return .giveUp
        }
        return .retry(host: .primary, after: .seconds(attempt <= 1 ? 1 : 2))
    }
}
