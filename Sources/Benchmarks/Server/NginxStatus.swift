/// What nginx has counted since it was started (`stub_status`).
struct NginxStatus {
    /// Connections open now, the one that asks among them.
    let connections: Int
    let requests: Int

    init?(_ text: String) {
        guard let active = text.firstMatch(of: /Active connections: (\d+)/).flatMap({ Int($0.1) }),
            let requests = text.firstMatch(of: /\s\d+ \d+ (\d+)\s/).flatMap({ Int($0.1) })
        else { return nil }
        connections = active
        self.requests = requests
    }
}
