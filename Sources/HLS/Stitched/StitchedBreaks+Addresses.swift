/// Progress of the classification of a playlist's segments by their addresses.
struct UnmarkedAds: Hashable, Sendable {
    /// Media sequence number of the first unclassified segment.
    var next: UInt64 = 0
    /// Whether the previous segment was the programme's: only after one does a break begin for all viewers alike.
    var followsProgramme = false
}

// Unmarked breaks.
extension StitchedBreaks {
    /// Adds runs of ads between segments of the programme, classifying each segment once.
    ///
    /// A run whose beginning was not listed is left out: viewers that joined at other moments would give it another key.
    mutating func readAddresses(_ playlist: MediaPlaylist, _ isAd: (String) -> Bool) {
        let (first, end) = (playlist.mediaSequence(at: 0), playlist.mediaSequence(at: playlist.segments.count))
        var current = breaks.lastIndex { $0.dialect == .addresses && !$0.isEnded }
        // Segments were missed, or the numbering has restarted.
        if first > unmarked.next || end < unmarked.next {
            if let current { self.end(current, at: 0, playlist) }
            current = nil
            unmarked = UnmarkedAds(next: first)
        }
        for index in playlist.segments.indices where playlist.mediaSequence(at: index) >= unmarked.next {
            let isRun = isAd(playlist.uri(of: playlist.segments[index])) && !isMarked(playlist.mediaSequence(at: index))
            if isRun, current == nil, unmarked.followsProgramme { current = beginRun(at: index, playlist) }
            if isRun, let current {
                Self.append(index, to: &breaks[current], playlist)
            } else if !isRun, let open = current {
                self.end(open, at: index, playlist)
                current = nil
            }
            unmarked.followsProgramme = !isRun
        }
        unmarked.next = end
    }

    private func isMarked(_ sequence: UInt64) -> Bool {
        breaks.contains { $0.dialect != .addresses && $0.mediaSequences.contains(sequence) }
    }

    private mutating func beginRun(at index: Int, _ playlist: MediaPlaylist) -> Int? {
        guard hasRoom else { return nil }
        let (date, sequence) = (Self.startDate(at: index, playlist), playlist.mediaSequence(at: index))
        return add(.addresses, from: date, at: sequence)
    }
}
