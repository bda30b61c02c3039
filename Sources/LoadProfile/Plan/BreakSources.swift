extension BreakPlan {
    /// Where the viewer's own breaks come from.
    package enum Source: Sendable, Equatable {
        /// Every `interval` of wall-clock time: at each whole multiple of it plus `offset`.
        case every(interval: Duration, offset: Duration)
        /// The guide's rule: next whole minute after the click, one later if fewer than 30 s remain.
        /// With `repeats`, a viewer clicks again when its break is over.
        case guideMinute(repeats: Bool)
        /// At these times after the start of the run.
        case list([ListedBreak])
        /// EXT-X-DATERANGE of the live playlist, of this CLASS; nil takes those with SCTE35-OUT.
        case dateRange(classAttribute: String?)
        /// When somebody calls for one while the run goes.
        case trigger(TriggerPlan)
        /// At least two of those above, whose breaks are merged by their start.
        indirect case several([Source])
        /// None of the viewer's own: only what the channel schedules.
        case none

        /// The sources one by one; empty where there is none.
        package var each: [Source] {
            switch self {
            case .several(let sources): sources
            case .none: []
            case .every, .guideMinute, .list, .dateRange, .trigger: [self]
            }
        }

        package init(_ each: [Source]) {
            switch each.count {
            case 0: self = .none
            case 1: self = each[0]
            default: self = .several(each)
            }
        }

        package var isDateRange: Bool {
            if case .dateRange = self { true } else { false }
        }

        /// Whether breaks are read from the live playlist.
        package var readsDateRanges: Bool { each.contains(where: \.isDateRange) }

        /// How breaks are called for; nil where nobody can.
        package var triggerPlan: TriggerPlan? {
            for case .trigger(let plan) in each { return plan }
            return nil
        }

        /// Lengths of breaks that are the breaks' own.
        package var ownDurations: [Duration] {
            each.flatMap { source in
                guard case .list(let listed) = source else { return [Duration]() }
                return listed.compactMap(\.duration)
            }
        }
    }
}

/// A break of a list, with what is its own.
package struct ListedBreak: Sendable, Equatable {
    /// After the start of the run.
    package var at: Duration
    /// nil: as long as all others.
    package var duration: Duration?
    /// Its splice, in base64 or hexadecimal; nil: the target's.
    package var scte35: String?

    package init(_ at: Duration, duration: Duration? = nil, scte35: String? = nil) {
        self.at = at
        self.duration = duration
        self.scte35 = scte35
    }
}
