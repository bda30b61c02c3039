import HLS
import LoadProfile
import Measurement

// Variants and the renditions that go with them: which are played, and when another takes their place.
extension ViewerMachine {
    /// The variant to begin with: of the pathway to begin with, where the channel has several; nil where none can be
    /// loaded.
    func firstVariant(of multivariant: SharedMultivariant) -> Int? {
        let among = multivariant.variants(onPathway: multivariant.firstPathway)
        guard let variant = self.choice(of: multivariant.playlist, among: among) else { return nil }
        return multivariant.variantURLs[variant] == nil ? nil : variant
    }

    /// Remembers what the channel offers, where the viewer will come back to it.
    mutating func keep(_ multivariant: SharedMultivariant, variant: Int, now: Int64) {
        let plan = self.plan.playback
        let audio = plan.playsAudioRendition ? multivariant.url(of: .audio, variant: variant) : ""
        let subtitles = plan.playsSubtitles ? multivariant.url(of: .subtitles, variant: variant) : ""
        let facts = self.facts
        let comesBack =
            plan.switchEvery != nil || facts.reload.stuckAfterTargets != nil
            || multivariant.playlist.contentSteering != nil
            || !multivariant.exports.isEmpty
            || !audio.isEmpty || !subtitles.isEmpty
        if comesBack {
            self.playback.course.multivariant = multivariant
            self.playback.course.variant = variant
            self.playback.course.audio.url = audio
            self.playback.course.subtitles.url = subtitles
            self.planSwitch(now: now)
        }
        self.beginLoadingMedia()
    }

    private mutating func planSwitch(now: Int64) {
        guard let every = self.plan.playback.switchEvery else { return }
        let away = self.chance.nanoseconds(untilNextOfMean: every.nanosecondsHeld)
        self.playback.course.switchAt = now.later(by: max(away, 1_000_000))
    }

    /// Takes another variant where the viewer's time for it has come; true where it did.
    @discardableResult
    mutating func switchIfDue(_ rendition: PlayedRendition, now: Int64, actions: inout [ViewerAction]) -> Bool {
        guard rendition == .video, self.playback.keepsCourse, self.playback.course.switchAt <= now else { return false }
        self.planSwitch(now: now)
        return self.switchVariant(now: now, actions: &actions)
    }

    /// Takes any other variant of the same pathway; false where the playlist stays the same.
    mutating func switchVariant(now: Int64, actions: inout [ViewerAction]) -> Bool {
        guard self.playback.keepsCourse, let multivariant = self.playback.course.multivariant else { return false }
        let current = self.playback.course.variant
        let pathway = multivariant.playlist.variants[current].pathwayID
        let others = multivariant.variants(onPathway: pathway).filter {
            $0 != current && multivariant.variantURLs[$0] != nil
        }
        guard !others.isEmpty else { return false }
        let variant = others[Int(self.chance.next() % UInt64(others.count))]
        self.note(.variantSwitches, &actions)
        let generation = self.playback.video.generation
        self.move(to: variant, of: multivariant, now: now, actions: &actions)
        return self.playback.video.generation != generation
    }

    /// Stops loading the channel: another one of the same kind is about to take its place.
    mutating func leaveContent(_ actions: inout [ViewerAction]) {
        for rendition in PlayedRendition.allCases where rendition == .video || self.playback.keepsCourse {
            guard !self.playback[rendition].url.isEmpty else { continue }
            self.playback[rendition].move(to: "")
            actions.append(.cancel(rendition.timer))
        }
        self.playback.waiting = 0
        guard self.playback.keepsCourse else { return }
        self.playback.course.steering = []
        actions.append(.cancel(.steering))
        for index in self.playback.course.loaders.indices {
            self.playback.course.loaders[index].moveToOtherPlaylist()
        }
    }

    /// Loads another variant's playlists from now on; those that it shares with the old one go on as they are.
    mutating func move(to variant: Int, of multivariant: SharedMultivariant, now: Int64, actions: inout [ViewerAction])
    {
        self.playback.course.variant = variant
        let plan = self.plan.playback
        for rendition in PlayedRendition.allCases {
            let isPlayed =
                switch rendition {
                case .video: true
                case .audio: plan.playsAudioRendition
                case .subtitles: plan.playsSubtitles
                }
            guard isPlayed else { continue }
            let url = multivariant.url(of: rendition, variant: variant)
            guard url != self.playback[rendition].url else { continue }
            self.playback[rendition].move(to: url)
            self.playback.waiting &= ~rendition.bit
            if self.playback.course.loaders.indices.contains(Int(rendition.rawValue)) {
                self.playback.course.loaders[Int(rendition.rawValue)].moveToOtherPlaylist()
            }
            actions.append(.cancel(rendition.timer))
            self.load(rendition, plannedAt: now, actions: &actions)
        }
    }
}
