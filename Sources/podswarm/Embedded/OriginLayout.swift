/// Where the reference origin keeps what a run asks of it.
enum OriginLayout {
    static let multivariantPath = "/live/main/multivariant.m3u8"
    static let healthPath = "/origin/health"
    static let truthPath = "/origin/truth.json"
}
