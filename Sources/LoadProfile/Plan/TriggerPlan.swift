/// How somebody calls for a break of all viewers while a run goes.
package struct TriggerPlan: Sendable, Equatable {
    /// Where calls are taken over HTTP: on loopback.
    package struct Address: Sendable, Equatable {
        package var host: String
        /// 0 takes a free one.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// In which all viewers learn of a break that was called.
    ///
    /// podswarm's assumption: a loop that needs longer is over `maximumLoopDelay` soon.
    package static let notice = Duration.milliseconds(100)

    static let usualLead = Duration.seconds(2)
    static let usualMostPerMinute = 12

    /// From a call to the start of its break, where it says no other time.
    package var lead = TriggerPlan.usualLead
    /// Calls that are taken within a minute.
    package var mostPerMinute = TriggerPlan.usualMostPerMinute
    /// nil: none are taken over HTTP.
    package var http: Address? = nil
    /// What a call over HTTP must show; nil: nothing, for whoever comes from this machine.
    package var token: String? = nil
    package var readsStandardInput = false
    /// A file or a named pipe, relative to the profile's folder; nil: none is read.
    package var file: String? = nil

    package init() {}
}
