/// The renditions that a viewer can load, each from a media playlist of its own.
package enum PlayedRendition: UInt8, CaseIterable, Sendable {
    /// The variant's own playlist, whatever is in it.
    case video
    case audio
    case subtitles

    /// The timer of this rendition's reload loop.
    var timer: ViewerTimer {
        switch self {
        case .video: .reload
        case .audio: .reloadAudio
        case .subtitles: .reloadSubtitles
        }
    }

    var bit: UInt8 { 1 << self.rawValue }
}

/// The reload loop of one rendition: one request at a time.
struct ReloadLoop: Sendable {
    /// What was asked for in the request under way.
    struct Asked: OptionSet, Sendable {
        let rawValue: UInt8
        static let anything = Asked(rawValue: 1)
        /// The request carries delivery directives that have the server hold it.
        static let blocking = Asked(rawValue: 2)
        static let delta = Asked(rawValue: 4)
        /// The whole playlist at once, to hold a merged one against it.
        static let verification = Asked(rawValue: 8)
    }

    /// Media playlist; empty until chosen, and where the rendition is not played.
    var url = ""
    var latest: SharedPlaylist?
    /// When something new was last loaded, monotonic nanoseconds.
    var changedAt: Int64 = 0
    /// Requests in a row that failed.
    var failures: UInt8 = 0
    var asked: Asked = []
    /// Rises when another playlist takes the place of this one, so that late answers of the old one are told apart.
    var generation: UInt8 = 0
    /// The next answer is the first of this playlist.
    var isFresh = true
    /// Directives are left out of the next request: the last one failed with them.
    var isPlainNext: Bool {
        get { self.marks & 1 != 0 }
        set { self.marks = newValue ? self.marks | 1 : self.marks & ~1 }
    }
    /// The last load brought anything new.
    var hasAdvanced: Bool {
        get { self.marks & 2 != 0 }
        set { self.marks = newValue ? self.marks | 2 : self.marks & ~2 }
    }
    /// Both in one byte: thousands of viewers each have a loop.
    private var marks: UInt8 = 0
    /// Seconds that the last plain answer had spent in caches, 255 at the most.
    var age: UInt8 = 0

    var isLoading: Bool { !self.asked.isEmpty }

    /// Takes another playlist; what is under way for the old one is of no use any more.
    mutating func move(to url: String) {
        self.url = url
        self.generation = (self.generation &+ 1) & 0x3F
        self.asked = []
        self.failures = 0
        self.isFresh = true
        self.isPlainNext = false
        self.hasAdvanced = false
        self.age = 0
    }

    /// Takes the answer to the request under way.
    ///
    /// - Returns: Whether it brings anything new, what was asked for, and the version before.
    mutating func take(_ shared: SharedPlaylist, now: Int64) -> (isNews: Bool, asked: Asked, before: SharedPlaylist?) {
        let before = self.latest
        let asked = self.asked
        let isNews = self.isFresh || shared.isNews(after: before)
        if isNews { self.changedAt = now }
        self.latest = shared
        self.asked = []
        self.failures = 0
        self.isFresh = false
        return (isNews, asked, before)
    }
}

/// What a viewer knows of the live channel.
struct PlaybackState: Sendable {
    var video = ReloadLoop()
    /// Playlists, segments and parts that are under way.
    var downloads: UInt8 = 0
    /// Bits of the renditions whose playlists wait for a free download.
    var waiting: UInt8 = 0
    /// Nanoseconds; `.min` until the viewer plays.
    private var lag: Int64 = .min
    /// When the playhead was stopped, monotonic nanoseconds; `.min` while it runs.
    private var stoppedAt: Int64 = .min
    private var kept: [PlaybackCourse] = []

    /// The version of the live playlist that was loaded last.
    var latest: SharedPlaylist? { self.video.latest }

    /// How far this viewer's playhead is behind the wall clock, in nanoseconds; known from the first playlist on.
    var latency: Int64? {
        get { self.lag == .min ? nil : self.lag }
        set { self.lag = newValue ?? .min }
    }

    /// When the playhead was stopped for an interstitial; nil while it runs.
    var pausedAt: Int64? {
        get { self.stoppedAt == .min ? nil : self.stoppedAt }
        set { self.stoppedAt = newValue ?? .min }
    }

    /// True for a viewer that does more than poll one playlist.
    var keepsCourse: Bool { !self.kept.isEmpty }

    /// What only such a viewer knows; one that polls one playlist carries an empty reference.
    var course: PlaybackCourse {
        get { self.kept.first ?? PlaybackCourse() }
        _modify {
            if self.kept.isEmpty {
                self.kept.append(PlaybackCourse())
            }
            yield &self.kept[0]
        }
    }

    /// The loop of a rendition; one that is not played has no URL.
    subscript(rendition: PlayedRendition) -> ReloadLoop {
        get {
            switch rendition {
            case .video: self.video
            case .audio: self.kept.first?.audio ?? ReloadLoop()
            case .subtitles: self.kept.first?.subtitles ?? ReloadLoop()
            }
        }
        _modify {
            switch rendition {
            case .video: yield &self.video
            case .audio: yield &self.course.audio
            case .subtitles: yield &self.course.subtitles
            }
        }
    }

    mutating func downloadEnded() {
        if self.downloads > 0 {
            self.downloads -= 1
        }
    }
}

/// What a viewer knows of a channel that it does more with than to poll one playlist.
struct PlaybackCourse: Sendable {
    var audio = ReloadLoop()
    var subtitles = ReloadLoop()
    /// The content segments of each rendition; empty where none are loaded.
    var loaders: [MediaLoader] = []
    var multivariant: SharedMultivariant?
    var variant = 0
    /// When the viewer changes its variant, monotonic nanoseconds; `.max`: never.
    var switchAt: Int64 = .max
    var loadTime = SmoothedTime()
    /// The shortest delay that a rendition asked for, of those that are loaded together.
    var sharedDelay: Int64 = .max
    /// Date of the programme, in microseconds, at which playback starts as soon as anything is loaded; `.min`: it plays.
    var startsAt: Int64 = .min
    /// None or one.
    var steering: [SteeringState] = []
}

/// A mean of past load times in which each weighs half as much as one five later (Shaka Player's EWMA).
struct SmoothedTime: Sendable {
    /// The fifth root of one half.
    private static let keep = 0.870_550_563_296_124
    private var sum = 0.0
    private var weight = 0.0

    mutating func add(nanoseconds: Int64) {
        self.sum = self.sum * Self.keep + Double(max(nanoseconds, 0)) * (1 - Self.keep)
        self.weight = self.weight * Self.keep + (1 - Self.keep)
    }

    var nanoseconds: Int64 { self.weight > 0 ? Int64(min(self.sum / self.weight, 1e15)) : 0 }
}
