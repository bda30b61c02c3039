import Foundation
import HLS

package struct PodManifestRequest: Hashable, Sendable {
    package var event: NetworkEvent
    package var identifier: PodIdentifier
    package var streamID: StreamID
    /// Sent as `pd` in whole milliseconds; nil only for breaks without a duration.
    package var podDuration: Duration?
    package var authToken: String?
    /// `k=v&k2=v2` in plain text.
    package var custParams: String?
    /// Base64.
    package var scte35: String?
}

extension PodManifestRequest {
    package init(event: NetworkEvent, identifier: PodIdentifier, streamID: StreamID, podDuration: Duration?) {
        self.init(event: event, identifier: identifier, streamID: streamID, podDuration: podDuration, authToken: nil)
    }

    package func pathAndQuery() -> String {
        var text = WireName.podManifestPrefix + event.path + "/" + identifier.pathComponent + WireName.playlistSuffix
        text += "?\(WireName.streamIDParameter)=\(streamID.percentEncoded)"
        if let podDuration { text += "&\(WireName.podDurationParameter)=\(podDuration.wholeMilliseconds)" }
        let optional = [
            (WireName.authTokenParameter, authToken),
            (WireName.customParametersParameter, custParams),
            (WireName.scte35Parameter, scte35),
        ]
        for (name, value) in optional { if let value { text += "&\(name)=\(PercentEncoding.encode(value))" } }
        return text
    }
}

package struct NetworkEvent: Hashable, Sendable {
    package var networkCode: String
    package var customAssetKey: String

    package init(networkCode: String, customAssetKey: String) {
        (self.networkCode, self.customAssetKey) = (networkCode, customAssetKey)
    }

    var path: String {
        PercentEncoding.encode(networkCode) + WireName.customAsset + PercentEncoding.encode(customAssetKey)
    }
}

package enum SpliceText {
    /// Hexadecimal with `0x` (bis-22 section 4.2); nil unless it has the form of a section.
    package static func base64(hexadecimal text: String) -> String? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"),
            (3...2 * SpliceSection.longest + 2).contains(text.utf8.count)
        else { return nil }
        return (try? SpliceSection.bytes(of: text)).map { Data($0).base64EncodedString() }
    }
}

package struct RegistrationRequest: Hashable, Sendable {
    package var event: NetworkEvent
    /// Values are not encoded; `cust_params` holds its own `k=v&k2=v2` pairs in plain text.
    package var adTagParameters: [String: String]
    package var authToken: String?

    package init(event: NetworkEvent, adTagParameters: [String: String] = [:], authToken: String? = nil) {
        (self.event, self.adTagParameters, self.authToken) = (event, adTagParameters, authToken)
    }

    package func path() -> String { WireName.registrationPrefix + event.path + WireName.registrationSuffix }

    /// Sorted by name; the value of `cust_params` is encoded twice.
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
        if let authToken { parameters[WireName.authTokenParameter] = authToken }
        return parameters
    }

    /// Percent-encodes `cust_params` once before the body's own encoding; any other value stays.
    package static func value(_ text: String, of name: String) -> String {
        name == WireName.customParametersParameter ? PercentEncoding.encode(text) : text
    }
}

/// Ad Manager help, "Best practices for DAI errors": 4xx other than 429 is not tried again; 429 and 5xx are.
///
/// The IMA SDK tries its second host once; without one, delays double from one second.
package enum RegistrationFailurePolicy {
    private static let maximumAttempts = 3

    /// Nil gives up; `attempt` counts from 1, a nil status is a transport failure, and a backup host is tried at once.
    package static func retry(status: Int?, attempt: Int, hasBackupHost: Bool) -> (atBackup: Bool, wait: Duration)? {
        if let status, status != 429, !(500...599).contains(status) { return nil }
        guard !hasBackupHost else { return attempt <= 1 ? (true, .zero) : nil }
        return attempt < maximumAttempts ? (false, .seconds(attempt <= 1 ? 1 : 2)) : nil
    }
}
