package import AdServing
import Foundation
import HLS
package import Profile
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

    private static let segmentSeconds = Int64(1)...10

    /// Nearest allowed value.
    package static func nearestSegmentDuration(_ duration: Duration) -> Duration {
        let seconds = duration.components.seconds
        return .seconds(min(max(seconds, segmentSeconds.lowerBound), segmentSeconds.upperBound))
    }

    /// Throws every mistake at once.
    package func validate() throws(OriginConfigurationError) {
        let mistakes = (channelMistakes + breakMistakes + adMistakes).compactMap { $0 }
        if !mistakes.isEmpty { throw OriginConfigurationError(mistakes: mistakes) }
    }

    /// Does nothing without `certificateOutput`.
    package func writeCertificate(_ pem: String) throws(OriginConfigurationError) {
        guard let path = certificateOutput else { return }
        try OriginFile(setting: .certificateOutput, path: path).write(pem)
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

    private var channelMistakes: [OriginConfigurationError.Mistake?] {
        let variants = ClipProfile.allCases.count
        let isSegment = Self.segmentSeconds.contains { self.segmentDuration == .seconds($0) }
        return [
            .init(.port, port, 0...65_535, "between 0 and 65535"),
            .init(.variantCount, self.variantCount, 1...variants, "between 1 and \(variants)"),
            isSegment ? nil : .init(.segmentDuration, "\(self.segmentDuration) is not 1 to 10 whole seconds"),
            .init(.windowSegments, self.windowSegments, 3...1_000, "between 3 and 1000"),
        ]
    }

    private var breakMistakes: [OriginConfigurationError.Mistake?] {
        guard breakInterval != .zero else { return [] }
        let (day, longest) = (Duration.seconds(86_400), PodLimits.maximumSeconds)
        let interval = OriginConfigurationError.Mistake(
            .breakSource,
            breakInterval,
            .seconds(1)...day,
            "zero or between 1 second and 24 hours"
        )
        var duration = OriginConfigurationError.Mistake(
            .breakDuration,
            breakDuration,
            .milliseconds(1) ... .seconds(longest),
            "between 1 ms and \(longest) s"
        )
        if duration == nil, interval == nil, breakDuration > breakInterval {
            let message = "\(breakDuration) is longer than the time from one break to the next, \(breakInterval)"
            duration = .init(.breakDuration, message)
        }
        return [interval, .init(.breakSource, breakOffset, .zero...day, "between zero and 24 hours"), duration]
    }

    private var adMistakes: [OriginConfigurationError.Mistake?] {
        let longest = PodLimits.maximumSeconds
        return [
            .init(.adDuration, self.adDuration, .seconds(1) ... .seconds(longest), "between 1 and \(longest) seconds"),
            .init(
                .sessionValidity,
                self.sessionValidity,
                .seconds(1) ... .seconds(366 * 86_400),
                "between 1 second and 366 days"
            ),
            .init(
                .pollingFrequency,
                self.metadataPollingFrequency,
                .seconds(1) ... .seconds(86_400),
                "between 1 second and 24 hours"
            ),
            .init(.networkCode, name: self.session.networkCode),
            .init(.customAssetKey, name: self.session.customAssetKey),
        ]
    }
}

package struct OriginConfigurationError: Error, Equatable, CustomStringConvertible {
    /// Path in a profile; an option of `podswarm origin` where a profile has none.
    package enum Setting: String, Sendable {
        case port = "--port"
        case variantCount = "target.embedded.variants"
        case segmentDuration = "target.embedded.segmentDuration"
        case windowSegments = "target.embedded.windowSegments"
        case breakSource = "breaks.source"
        case breakDuration = "breaks.podDuration"
        case networkCode = "target.embedded.networkCode"
        case customAssetKey = "target.embedded.customAssetKey"
        case adDuration = "target.embedded.adDuration"
        case sessionValidity = "target.embedded.sessionValidity"
        case pollingFrequency = "target.embedded.metadataPolling"
        case faultPlanPath = "target.embedded.faults"
        case channelPlanPath = "target.embedded.channel"
        case certificateOutput = "--certificate-file"
    }

    package struct Mistake: Equatable, Sendable {
        package let setting: Setting
        package let file: String?
        /// States what is allowed, after the setting's name.
        package let message: String

        init(_ setting: Setting, file: String? = nil, _ message: String) {
            (self.setting, self.file, self.message) = (setting, file, message)
        }

        /// Nil for a value in range.
        init?<Value: Comparable>(_ setting: Setting, _ value: Value, _ range: ClosedRange<Value>, _ allowed: String) {
            guard !range.contains(value) else { return nil }
            self.init(setting, "\(value) is not \(allowed)")
        }

        /// Nil for a name that a path can contain.
        init?(_ setting: Setting, name: String) {
            guard name.isEmpty || !name.utf8.allSatisfy(\.isUnreserved) else { return nil }
            self.init(setting, "\"\(name)\" is not made of letters, digits, '-', '_', '.' and '~'")
        }

        /// Without a full stop.
        var text: String { "\(setting.rawValue)\(file.map { " \($0)" } ?? ""): \(message)" }
    }

    package let mistakes: [Mistake]

    package var description: String { mistakes.map(\.text).joined(separator: "\n") }
}

struct OriginFile {
    let setting: OriginConfigurationError.Setting
    let path: String

    func text() throws(OriginConfigurationError) -> String {
        var data = Data()
        do throws(UntrustedFile.Refusal) {
            data = try UntrustedFile.contents(of: path, mebibytes: ProfileTree.largestText >> 20)
        } catch {
            throw mistake("\(error)")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw mistake("the text is not UTF-8") }
        return text
    }

    func write(_ text: String) throws(OriginConfigurationError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw mistake("cannot be written: \(Self.words(for: error))")
        }
    }

    private func mistake(_ message: String) -> OriginConfigurationError {
        OriginConfigurationError(mistakes: [.init(setting, file: path, message)])
    }

    /// Foundation's message does not state the cause.
    private static func words(for error: any Error) -> String {
        let error = error as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        guard let cause, cause.domain == NSPOSIXErrorDomain, let number = Int32(exactly: cause.code) else {
            return error.localizedDescription
        }
        return String(cString: strerror(number))
    }
}
