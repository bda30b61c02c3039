import Foundation
import Values

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

    package init(
        event: NetworkEvent,
        identifier: PodIdentifier,
        streamID: StreamID,
        podDuration: Duration?,
        authToken: String? = nil,
        custParams: String? = nil,
        scte35: String? = nil
    ) {
        self.event = event
        self.identifier = identifier
        self.streamID = streamID
        self.podDuration = podDuration
        self.authToken = authToken
        self.custParams = custParams
        self.scte35 = scte35
    }

    package func pathAndQuery() -> String {
        var text = WireName.podManifestPrefix + event.path + "/" + identifier.pathComponent + WireName.playlistSuffix
        text += "?\(WireName.streamIDParameter)=\(streamID.percentEncoded)"
        if let podDuration {
            text += "&\(WireName.podDurationParameter)=\(podDuration.wholeMilliseconds)"
        }
        let optional = [
            (WireName.authTokenParameter, authToken),
            (WireName.customParametersParameter, custParams),
            (WireName.scte35Parameter, scte35),
        ]
        for (name, value) in optional {
            if let value {
                text += "&\(name)=\(PercentEncoding.encode(value))"
            }
        }
        return text
    }
}

package struct NetworkEvent: Hashable, Sendable {
    package var networkCode: String
    package var customAssetKey: String

    package init(networkCode: String, customAssetKey: String) {
        self.networkCode = networkCode
        self.customAssetKey = customAssetKey
    }

    /// `{network}/custom_asset/{key}`, percent-encoded.
    var path: String {
        PercentEncoding.encode(networkCode) + WireName.customAsset + PercentEncoding.encode(customAssetKey)
    }
}

package enum SpliceText {
    /// Bytes: a section has at most 4,093 bytes after its length (ANSI/SCTE 35 section 9.6).
    private static let longestSection = 4_096

    /// Converts a date range's hexadecimal attribute (bis-22 section 4.2), with `0x`, into the base64 of pod requests; nil
    /// unless it is a section's.
    package static func base64(hexadecimal text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > 2, bytes.count.isMultiple(of: 2), bytes.count <= 2 * longestSection + 2,
            bytes[0] == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        var section = Data(capacity: bytes.count / 2)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            guard let high = bytes[index].hexDigitValue, let low = bytes[index + 1].hexDigitValue else {
                return nil
            }
            section.append(high << 4 | low)
        }
        return section.base64EncodedString()
    }
}
