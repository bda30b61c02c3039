package import Values

/// Calls by which the operator triggers a break of all viewers during a run.
package struct TriggerPlan: Sendable, Equatable, ProfileFields {
    /// Assumption: all viewers of a process know of a call; a slower loop soon exceeds `maximumLoopDelay`.
    private static let notice = Duration.milliseconds(100)

    /// Assumption: polls within the notice, some late or failed.
    private static let looks = 5

    /// 1 ms per process limits the load on the polled place.
    package static func looking(shards: Int) -> Duration { max(.milliseconds(200), .milliseconds(shards)) }

    /// Time in which all viewers of a run learn of a call.
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
    package var file: String? = nil

    /// The channel of calls does not change the requests.
    package static let fields = FieldList(TriggerPlan(), conditions: [("minProperties", .number("1"))]) { f in
        f.add("lead", \.lead, .duration(.milliseconds(100) ... .seconds(600)))
        f.add("mostPerMinute", \.mostPerMinute, .integer(1...60))
        f.add("http", \.http, loopbackAddress, .undigested)
        f.add("token", \.token, .secret, .undigested)
        f.add("standardInput", \.readsStandardInput, .boolean, .undigested)
        f.add("file", \.file, .file, .undigested)
    }

    package mutating func settle(_ section: ProfileSection) {
        let hasWay = readsStandardInput || section.has("http") || section.has("file")
        section.reading[section.path, if: section.isPresent && !hasWay] =
            "has no way to call for a break; allowed: one of http, standardInput: true and file, or several of them"
        section["token", "http", if: token != nil && !section.has("http")] = "has no effect without http"
    }

    /// Loopback only: calls cost ad impressions.
    private static var loopbackAddress: ScalarRule<ListeningAddress> {
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
                    case .invalidPort: return .refused("has a port that is not a number from 0 to 65535")
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
    /// Every viewer must know of a break before the first one acts.
    package func shortestCallLead(shards: Int) -> Duration {
        max(lead + jitter, preconnect) + TriggerPlan.notice(shards: shards)
    }
}

extension LoadPlan {
    /// Reason, with the fix, why the lead is too short for several shards.
    package func problemOfCalls(shards: Int) -> String? {
        let least = breaks.shortestCallLead(shards: shards)
        guard let trigger = breaks.source.triggerPlan, trigger.lead < least else { return nil }
        let who = "\(shards) shards, which learn of a break"
        return "breaks.source.trigger.lead: \(trigger.lead.text) is too short for \(who) "
            + "within \(TriggerPlan.notice(shards: shards).text); at least \(least.text)"
    }
}
