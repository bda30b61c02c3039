/// Viewers that tell the ad server something else of themselves in mid-session, at the `session_update_url` of their
/// registration.
///
/// Google lists that address in answers and says nothing of how it is asked in pod serving; what is assumed has a field here.
package struct SessionUpdatePlan: Sendable, Equatable {
    /// How parameters are written: as registrations are, or as the client guide's header says.
    package enum Body: String, Sendable, CaseIterable {
        case form
        case json
    }

    /// Which parameters an update has.
    package enum Extent: String, Sendable, CaseIterable {
        /// The registration's, with the new values among them: right whether the server replaces all or only what is named.
        case all
        /// Those with new values alone.
        case changed
    }

    /// Share of viewers that do it, from 0 to 1.
    package var share: Double
    /// Mean time between two updates of one viewer.
    package var every: Duration
    /// New values, by name.
    package var adTagParameters: [String: String]
    package var body = Body.form
    package var extent = Extent.all
}
