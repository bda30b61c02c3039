import AdServing

extension ViewerMachine {
    /// What `_HLS_primary_id` tells of this viewer: the same for all its requests, and another for each viewer and seed.
    package var primaryID: String { self.plan.identity(of: self.number).primaryID }
}
