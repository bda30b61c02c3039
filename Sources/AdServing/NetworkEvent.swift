import Values

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
