import LoadProfile

/// The page of the documentation that shows the traces of all players.
enum WireTracePage {
    static func text(_ tables: [WireTraceTable]) -> String {
        var text = """
            # Wire traces

            What each known player sends to the same channel with two breaks, side by side, and where each difference is from.

            ## Overview

            Made by `WireTraceTests`, which fails when a player behaves otherwise than it stands here. Each player watches alone, on a
            clock that only the test moves, with the same seed; every answer takes \(WireChannel.answerMilliseconds) ms. `POST` and `GET` are followed by the
            kind of request, as results name it, and the path; a number after it counts requests of one path. Cells are milliseconds from
            the join. `id` says that the request carries `_HLS_primary_id`, – that the player does not make it in the
            \(WireTrace.lastMilliseconds / 1000) s shown; in brackets stands how a
            request ended that had no success.

            The last column says why a cell is not that of `strict`, which does as the specification says: the fact of the player by the
            path under which a profile changes it, with its value, and in brackets the source of that fact. A star marks a fact that no
            good source confirms. `podswarm profile personas NAME` prints all of them. A difference that no fact explains fails the test.
            What `strict` does is from \(sourcesOfStrict).

            The channel has segments of 6 s and HOLD-BACK 18; segment \(WireChannel.late.number) is listed two and a half seconds late, so that a poll finds
            nothing new, and segment \(WireChannel.short) lasts 4 s. Second \(WireChannel.breaks[0] / 1000) of the clock is the date of the first break, listed
            from second \(WireChannel.listed[0] / 1000) on: an asset list of two ads of 8 s, with a preload range from second \(WireChannel.preload.lowerBound / 1000) to
            \(WireChannel.preload.upperBound / 1000). The second is at \(WireChannel.breaks[1] / 1000), listed from \(WireChannel.listed[1] / 1000) on: an asset of 10 s with resume offset 4. A playhead
            is there some 20 s after the date, and falls 6 s further behind by the second. What is not modelled of a player is
            not here either: how Media3 reads ahead, and that the segments of the primary from a break to the point of
            return are left out (WWDC21 session 10140), which a viewer of podswarm loads as they are listed. Shaka gives up an answer that has not begun after 10 s, its
            connection timeout, and not after the 30 s of the whole request.

            """
        for table in tables {
            text += table.script == .clean ? clean : failing
            text += table.markdown
        }
        return text
    }

    private static let sourcesOfStrict: String = {
        let facts = ["reload", "start", "interstitials", "interstitials.preload", "interstitials.beacons", "assetList"]
        return facts.map { "\(KnownPersona.strict.source(of: $0) ?? "") (`\($0)`)" }.joined(separator: "; ")
    }()

    private static let clean = """

        ## Everything is answered


        """

    private static let failing = """

        ## Lists that fail

        The first asset list is answered with 503. The second break has a list too, which takes \(WireChannel.slowMilliseconds / 1000) s: longer than most players wait.


        """
}
