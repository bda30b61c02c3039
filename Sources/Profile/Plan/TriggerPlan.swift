package import Values

/// Calls by which the operator triggers a break of all viewers during a run.
package struct TriggerPlan: Sendable, Equatable, ProfileFields {
    /// Time in which all viewers of a process learn of a break that was called.
    ///
    /// An assumption: a loop that needs longer soon exceeds `maximumLoopDelay`.
    private static let notice = Duration.milliseconds(100)

    /// Polls of a process of several within the notice; some may be late or fail: an assumption.
    private static let looks = 5

    /// Interval at which a process of several polls for calls: a fifth of a second, and 1 ms per process where they are many,
    /// to limit the load on the place that all of them poll.
    package static func looking(shards: Int) -> Duration { max(.milliseconds(200), .milliseconds(shards)) }

    /// Time in which all viewers of a run learn of a break that was called: 100 ms in one process, a second or more in several.
    package static func notice(shards: Int) -> Duration {
        shards == 1 ? notice : notice + looking(shards: shards) * looks
    }

    package var lead = Duration.seconds(2)
    package var mostPerMinute = 12
    /// Nil accepts no calls over HTTP.
    package var http: ListeningAddress? = nil
    /// Nil requires no token from callers on this machine.
    package var token: String? = nil
    package var readsStandardInput = false
    /// Relative to the profile's folder; nil means no file.
    package var file: String? = nil

    package static let usual = TriggerPlan()
    package static let conditions: [(name: String, value: SchemaNode)] = [("minProperties", .number("1"))]

    /// Digests leave out the channel of calls, because it does not change the requests.
    package static func fields(_ f: inout FieldTable<Self>) {
        f["lead", \.lead, .duration(.milliseconds(100) ... .seconds(600))] =
            "From a call to the start of its break, where it says no other time."
        f["mostPerMinute", \.mostPerMinute, .integer(1...60)] = "Calls that are taken within a minute."
        f["http", \.http, .loopbackAddress, .undigested] =
            "Address on loopback at which calls are taken, such as 127.0.0.1:8090; port 0 takes a free one."
        f["token", \.token, .secret, .undigested] = "What a call over HTTP must show, as ${NAME} of the environment."
        f["standardInput", \.readsStandardInput, .boolean, .undigested] = "Each line of standard input is a call."
        f["file", \.file, .file, .undigested] = "A named pipe, or a file that lines are appended to; each is a call."
    }

    package mutating func settle(_ section: ProfileSection) {
        section.reading.rule(
            section.path,
            isBroken: section.isPresent && !section.has("http") && !readsStandardInput && !section.has("file"),
            message: "nobody can call for a break",
            allowed: "one of http, standardInput: true and file, or several of them"
        )
        section.rule("token", "http", isBroken: token != nil && !section.has("http")) {
            "has no effect without http"
        }
    }
}

extension ScalarRule<ListeningAddress> {
    /// Calls cost ad impressions, so only loopback addresses are allowed: no other machine can call.
    fileprivate static var loopbackAddress: ScalarRule {
        let allowed = "an address of loopback and a port, such as 127.0.0.1:8090 or [::1]:8090; port 0 takes a free one"
        return ScalarRule(
            allowed: allowed,
            schema: .pattern("^(localhost|127(\\.[0-9]{1,3}){3}|\\[[0-9a-fA-F:]+\\]):[0-9]{1,5}$"),
            spell: \.description,
            read: { text in
                do throws(ListeningAddress.Mistake) {
                    let address = try ListeningAddress(parsing: text)
                    return address.isLoopback ? .value(address) : .refused("is not on loopback")
                } catch {
                    switch error.problem {
                    case .noPort: return .refused("has no port")
                    case .invalidPort: return .refused("has a port that is no number from 0 to 65535")
                    case .noHost: return .refused("is not on loopback")
                    case .invalidHost:
                        return .refused("names no valid host; write an IPv6 address in brackets")
                    }
                }
            }
        )
    }
}

extension BreakPlan {
    /// Minimum time from a call to the start of its break, so that every viewer knows of it before the first one acts.
    package func shortestCallLead(shards: Int) -> Duration {
        max(lead + jitter, preconnect) + TriggerPlan.notice(shards: shards)
    }
}

extension LoadPlan {
    /// The reason why a run of several shards cannot call breaks with the plan's lead, with the fix; nil where it can.
    package func problemOfCalls(shards: Int) -> String? {
        let least = breaks.shortestCallLead(shards: shards)
        guard let trigger = breaks.source.triggerPlan, trigger.lead < least else { return nil }
        let who = "\(shards) shards, which learn of a break"
        return "breaks.source.trigger.lead: \(trigger.lead.text) is too short for \(who) "
            + "within \(TriggerPlan.notice(shards: shards).text); at least \(least.text)"
    }
}
