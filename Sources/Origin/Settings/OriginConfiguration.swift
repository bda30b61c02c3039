package import AdServing
import Foundation
import HLS
package import Profile
import Synchronization
import Values

/// A run passes these in encoded form to the origin that it starts: nothing is rounded.
@dynamicMemberLookup
package struct OriginConfiguration: Sendable, Equatable, Codable {
    /// Plans' paths are relative to the working directory.
    package var embedded: EmbeddedOriginPlan

    package var host = "127.0.0.1"
    /// 0 lets the system choose.
    package var port = 0
    /// With TLS, by ALPN beside HTTP/1.1; without, by prior knowledge only.
    package var useHTTP2 = false

    /// Zero for a channel without breaks.
    package var breakInterval: Duration = .seconds(60)
    /// From multiples of the interval since the Unix epoch.
    package var breakOffset: Duration = .zero
    package var breakDuration: Duration = .seconds(30)
    /// Their values are counted by viewer.
    package var countedFields: [CountedField] = []

    /// For an origin without a plan file.
    package var channelPlanText: String?
    /// For stream ids, creative orders and fault shares; equal seeds give equal answers.
    package var seed: UInt64 = 1
    /// Lead over the monotonic clock; nil for the system's.
    package var wallClockAhead: Duration?
    /// For the PEM of the certificate made at start.
    package var certificateOutput: String?
    /// In virtual time, where TLS has only its consequences.
    package var supposesTLS = false

    /// Plain HTTP/1.1 on a free loopback port, with a break each minute.
    package init() {
        embedded = .usual
        (embedded.windowSegments, embedded.adDuration) = (10, .seconds(10))
    }

    package subscript<Value>(dynamicMember setting: WritableKeyPath<EmbeddedOriginPlan, Value>) -> Value {
        get { embedded[keyPath: setting] }
        set { embedded[keyPath: setting] = newValue }
    }

    static let channel = "main"

    /// Nearest allowed value.
    package static func nearestSegmentDuration(_ duration: Duration) -> Duration {
        .seconds(min(max(duration.components.seconds, 1), 10))
    }

    /// Throws every mistake that the profile's own rules leave.
    package func validate() throws(OriginConfigurationError) {
        var mistakes: [String] = []
        if !(0...65_535).contains(port) { mistakes.append("--port: \(port) is not between 0 and 65535") }
        if breakInterval > .zero, breakDuration > breakInterval {
            mistakes.append(
                "breaks.podDuration: \(breakDuration) is longer than the time from one break to the next, \(breakInterval)"
            )
        }
        let networkCode = self.session.networkCode
        if !networkCode.utf8.allSatisfy(\.isUnreserved) {
            mistakes.append(
                "target.embedded.networkCode: \"\(networkCode)\" is not made of letters, digits, '-', '_', '.' and '~'"
            )
        }
        if !mistakes.isEmpty { throw OriginConfigurationError(mistakes: mistakes) }
    }

    /// Does nothing without `certificateOutput`.
    package func writeCertificate(_ pem: String) throws(OriginConfigurationError) {
        guard let path = certificateOutput else { return }
        do {
            try pem.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            let mistake = "--certificate-file \(path): cannot be written: \(error.fileCause)"
            throw OriginConfigurationError(mistakes: [mistake])
        }
    }

    /// Nil for a channel without breaks.
    package var breakSchedule: BreakSchedule? {
        guard breakInterval > .zero else { return nil }
        return .every(
            interval: breakInterval,
            epoch: WallTime(microseconds: 0),
            firstOffset: breakOffset,
            duration: breakDuration
        )
    }

    /// Announcement lead, from the live edge: the newest segment is up to one target duration old, so five leave at least four.
    var standardLead: Duration { max(self.segmentDuration * 5, .seconds(10)) }

    var segmentSeconds: Int { max(1, Int(self.segmentDuration.components.seconds)) }

    func layout(of pod: Duration) -> PodLayout {
        PodLayout(
            podMicroseconds: pod.wholeMicroseconds,
            adMicroseconds: self.adDuration.wholeMicroseconds,
            segmentSeconds: segmentSeconds
        )
    }
}

package struct OriginConfigurationError: Error, CustomStringConvertible {
    /// Each begins with a path in a profile, or an option of `podswarm origin`.
    package let mistakes: [String]

    package var description: String { mistakes.joined(separator: "\n") }
}

extension OriginConfiguration {
    /// Text of a plan that a field of the profile names.
    static func text(of path: String, for field: String) throws(OriginConfigurationError) -> String {
        var reason = "the text is not UTF-8"
        do throws(UntrustedFile.Refusal) {
            let data = try UntrustedFile.contents(of: path, mebibytes: ProfileTree.largestText >> 20)
            if let text = String(validating: data, as: UTF8.self) { return text }
        } catch {
            reason = "\(error)"
        }
        throw OriginConfigurationError(mistakes: ["\(field) \(path): \(reason)"])
    }
}

/// Absolute URIs in live playlists, which are shared: no request's authority can be repeated.
final class OriginAddress: Sendable {
    private let scheme: String
    private let host: String
    private let text: Mutex<String>

    init(_ configuration: OriginConfiguration) {
        scheme = configuration.usesTLS ? "https" : "http"
        switch configuration.host {
        // Clients cannot use wildcard addresses.
        case "0.0.0.0", "": host = "127.0.0.1"
        case "::": host = "[::1]"
        case let other: host = other.contains(":") ? "[\(other)]" : other
        }
        text = Mutex("\(scheme)://\(host):\(configuration.port)")
    }

    var base: String { text.withLock { $0 } }

    func listens(on port: Int) { text.withLock { $0 = "\(scheme)://\(host):\(port)" } }
}
