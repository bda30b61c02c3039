/// What a draft is told besides what was seen.
package struct DraftOptions: Sendable {
    /// An ad server in the shape of Google's pod serving, and the event there.
    package struct AdServer: Hashable, Sendable {
        /// Scheme, host and perhaps port.
        package var url: String
        package var networkCode: String
        package var customAssetKey: String

        /// Makes one of what was given on the command line.
        package init(url: String, networkCode: String, customAssetKey: String) {
            self.url = url
            self.networkCode = networkCode
            self.customAssetKey = customAssetKey
        }
    }

    /// Where the profile will stand, as its commands name it.
    package var file: String
    /// Who has the pods; nil where nobody said.
    package var adServer: AdServer?
    /// Hosts that may be asked besides, as the person named them.
    package var allowedHosts: [String]
    /// What is sent to the stream's own server besides.
    package var headers: [StreamHeader]
    /// Whether somebody says that nothing in the path of the address is a secret.
    package var keepsPath: Bool
    /// PEM file of authorities to trust, absolute; nil for the system's.
    package var caFile: String?
    package var verifiesTLS: Bool

    /// Makes options of what was given on the command line.
    package init(
        file: String,
        adServer: AdServer? = nil,
        allowedHosts: [String] = [],
        headers: [StreamHeader] = [],
        keepsPath: Bool = false,
        caFile: String? = nil,
        verifiesTLS: Bool = true
    ) {
        self.file = file
        self.adServer = adServer
        self.allowedHosts = allowedHosts
        self.headers = headers
        self.keepsPath = keepsPath
        self.caFile = caFile
        self.verifiesTLS = verifiesTLS
    }
}
