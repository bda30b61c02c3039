import Time

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

    /// In which all viewers of a process learn of a break that was called.
    ///
    /// An assumption: a loop that needs longer is over `maximumLoopDelay` soon.
    private static let notice = Duration.milliseconds(100)

    /// A process of several looks so often for a call in the time that it has; some looks may be late or fail: an assumption.
    private static let looks = 5

    /// How often a process of several looks whether a break was called for; seldom enough for the place that all of them ask.
    ///
    /// - Parameter shards: How many look.
    /// - Returns: A fifth of a second, and a millisecond for each where they are many.
    package static func looking(shards: Int) -> Duration { max(.milliseconds(200), .milliseconds(shards)) }

    /// In which all viewers of a run learn of a break that was called.
    ///
    /// - Parameter shards: How many processes make the run.
    /// - Returns: ``notice`` in one process; in several a second or more.
    package static func notice(shards: Int) -> Duration {
        shards == 1 ? notice : notice + looking(shards: shards) * looks
    }

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

extension BreakPlan {
    /// From a call to the start of its break at the least: everybody is to know of it before the first viewer acts.
    ///
    /// - Parameter shards: How many processes make the run.
    /// - Returns: What a call may not fall short of.
    package func shortestCallLead(shards: Int) -> Duration {
        max(lead + jitter, preconnect) + TriggerPlan.notice(shards: shards)
    }
}

extension LoadPlan {
    /// Why breaks of a run of several shards cannot be called for in the time that the plan gives them.
    ///
    /// - Parameter shards: How many processes make the run.
    /// - Returns: With the fix; nil where they can.
    package func problemOfCalls(shards: Int) -> String? {
        let least = breaks.shortestCallLead(shards: shards)
        guard let trigger = breaks.source.triggerPlan, trigger.lead < least else { return nil }
        let who = "\(shards) shards, which learn of a break"
        return "breaks.source.trigger.lead: \(trigger.lead.text) is too short for \(who) "
            + "within \(TriggerPlan.notice(shards: shards).text); at least \(least.text)"
    }
}
