import Values

package struct OriginConfigurationError: Error, Equatable, CustomStringConvertible {
    /// A setting that a caller may know by another name, such as an option's; the raw value is its member's.
    package enum Setting: String, CaseIterable, Sendable {
        case port
        case eventLoopThreads
        case channel
        case variantCount
        case segmentDuration
        case windowSegments
        case breakInterval
        case breakOffset
        case breakDuration
        case announceLead
        case networkCode
        case customAssetKey
        case adDuration
        case sessionValidity
        case pollingFrequency
        case deferredVerificationShare
        case faultPlanPath
        case channelPlanPath
        case certificateOutput
    }

    package struct Mistake: Equatable, Sendable {
        package let setting: Setting
        /// File that contains the mistake, or nil.
        package let file: String?
        /// Follows the setting's name, and states what is allowed.
        package let message: String

        init(_ setting: Setting, file: String? = nil, _ message: String) {
            self.setting = setting
            self.file = file
            self.message = message
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

        /// One sentence without a full stop, with the caller's name of the setting.
        package func told(of name: String) -> String {
            "\(name)\(file.map { " \($0)" } ?? ""): \(message)"
        }
    }

    package let mistakes: [Mistake]

    package var description: String {
        mistakes.map { $0.told(of: $0.setting.rawValue) }.joined(separator: "\n")
    }
}
