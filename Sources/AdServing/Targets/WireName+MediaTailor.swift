extension WireName {
    package static let jsonContentType = "application/json"

    package enum MediaTailor {
        package static let masterPath = "/v1/master/"
        package static let sessionPath = "/v1/session/"
        package static let insertionModeParameter = "aws.insertionMode"
        package static let guided = "GUIDED"
        package static let reportingModeParameter = "aws.reportingMode"
        package static let sessionIDParameter = "aws.sessionId"
        package static let adsPrefix = "ads."
        package static let manifestPrefix = "manifest."
        /// Key of the answer to an explicit session initialisation.
        package static let manifestURL = "manifestUrl"
    }
}
