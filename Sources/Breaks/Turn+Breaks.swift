import AdServing
import Audience
import LoadProfile
import Players

extension Turn {
    /// What `_HLS_primary_id` is to tell; nil for players that do not send it.
    var sentPrimaryID: String? {
        persona.interstitials.sendsPrimaryID ? plan.primaryID(of: number) : nil
    }
}
