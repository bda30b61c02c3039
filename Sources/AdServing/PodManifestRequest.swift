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
