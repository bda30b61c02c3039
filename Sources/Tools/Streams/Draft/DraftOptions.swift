package struct DraftOptions: Sendable {
    /// Event on an ad server in the shape of Google's pod serving.
    package struct AdServer: Hashable, Sendable {
        /// Scheme, host and optional port.
        package var url: String
        package var networkCode: String
        package var customAssetKey: String

        package init(url: String, networkCode: String, customAssetKey: String) {
            self.url = url
            self.networkCode = networkCode
            self.customAssetKey = customAssetKey
        }
    }

    /// Path of the profile, for the commands in its comments.
    package var file: String
    /// Nil if the user named none.
    package var adServer: AdServer?
    /// Additional hosts that the user authorised.
    package var allowedHosts: [String] = []
    /// Headers for the stream's own server.
    package var headers: [StreamHeader] = []
    /// Whether the user declares that the path of the URL has no secret.
    package var keepsPath = false
    /// Absolute path of a PEM file of trusted authorities; nil: the system's.
    package var caFile: String?
    package var verifiesTLS = true

    package init(file: String) { self.file = file }
}
