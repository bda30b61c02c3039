/// Counts of nginx since its start (`stub_status`).
struct NginxStatus {
    let requests: Int

    init?(_ text: String) {
        guard let requests = text.firstMatch(of: /requests\s+\d+ \d+ (\d+)\s/).flatMap({ Int($0.1) }) else {
            return nil
        }
        self.requests = requests
    }
}
