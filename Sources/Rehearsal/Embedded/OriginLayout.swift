/// Where the reference origin keeps what a run asks of it.
package enum OriginLayout {
    package static let multivariantPath = "/live/main/multivariant.m3u8"
    package static let healthPath = "/origin/health"
    package static let truthPath = "/origin/truth.json"
}
