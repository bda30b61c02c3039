import AdServing
import Profile

extension Turn {
    /// `_HLS_primary_id`; nil for players that do not send it.
    var sentPrimaryID: String? {
        persona.interstitials.sendsPrimaryID ? plan.primaryID(of: number) : nil
    }
}
