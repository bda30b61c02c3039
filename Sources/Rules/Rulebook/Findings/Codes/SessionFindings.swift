extension FindingCode {
    package static let accessRefused = FindingCode(
        ("access_refused", .sessions, .broken),
        meaning:
            "A playlist, pod, asset list or metadata was refused with 401 or 403, so the viewer gets nothing to "
            + "play.",
        rule: .rfc(9110, "15.5.2", "401 asks for credentials that the request did not carry, or not valid ones"),
        .rfc(9110, "15.5.4", "403 says that the request was understood and is refused"),
        .page(
            .podTokens,
            "a pod request carries a valid token",
            quotation: """
                Each segment or manifest request made using pod serving must include a HMAC-signed token for \
                authentication, as a fallback of early ad break notifications.
                """
        ),
        .assumed("the viewers of a profile are meant to be let in", .allowance),
        likelyCauses: "The key or token of the request is missing, was signed with another key, or has run out.",
        "A rule of the CDN (country, referrer, signed cookie) catches ordinary viewers.",
        "A session's cookie is not sent back: Media3 keeps none unless the app sets a CookieHandler, and hls.js sends none "
            + "to another origin without withCredentials.",
        "The stream id was made for another event or in another place than the one that is asked.",
        whereToLook: "The log of the server that sent the 401 or 403, and the token or cookie that the request carried."
    )

    package static let mediaIDUnlisted = FindingCode(
        ("media_id_unlisted", .sessions, .wrong),
        meaning:
            "An ad's media id matches no prefix in the metadata: the player cannot name the ad or "
            + "track it.",
        rule: .page(
            .clientGuide,
            "metadata describes every id",
            quotation:
                "using the ad event ID to find corresponding TagSegment and AdBreak objects from the ad metadata"
        ),
        .assumed("metadata that lists an ad lists a prefix of every id that the ad carries", .allowance),
        likelyCauses: "The ad was encoded again with other ids, and metadata or a cache of its segments is older.",
        "Pods and metadata are decided apart, and name other ads for one break.",
        "A stitcher gave the ad the timed metadata of another one.",
        whereToLook:
            "The media ids in a segment of the ad (TXXX of ID3, or emsg) beside the keys of tags in the session's "
            + "metadata."
    )

    package static let metadataLag = FindingCode(
        ("metadata_lag", .sessions, .suspect),
        meaning:
            "A pod reached the playhead while metadata polled since does not know its ads, so their events cannot be "
            + "told.",
        rule: .page(
            .clientGuide,
            "metadata is polled, and names what pods hold",
            quotation: """
                Poll for ad metadata by making a GET request to the metadata_url obtained from the stream registration \
                response, saving the tags object and setting a timer based on polling_frequency.
                """
        ),
        .assumed("metadata that is asked for while a pod plays knows it", .allowance),
        likelyCauses: "Metadata is cached longer than the polling frequency.",
        "Metadata is written by another process than pods, which falls behind in the burst of a break.",
        "The pod and its metadata were decided apart and carry different media ids.",
        whereToLook:
            "When the pod's decision was stored and when metadata first carried its tags; Cache-Control and Age of "
            + "metadata."
    )

    package static let pingDoubled = FindingCode(
        ("ping_doubled", .sessions, .wrong),
        meaning: "One event of one ad is listed twice, so a player reports it twice and the ad is counted twice.",
        rule: .written(
            in: .vast(section: "3.14"),
            "the addresses of an event, one for each party that counts, are requested when it occurs"
        ),
        .assumed("one address, or one event of one ad, twice in a list is a mistake and no wish", .allowance),
        likelyCauses: "Wrapper and inline ad name the same pixel and both are copied.",
        "A list of events was appended again at an update instead of replaced.",
        "The same ad was put into the pod's metadata under two media ids.",
        whereToLook:
            "The tracking list of the ad in creative signalling or metadata, and the VAST answers that it was made "
            + "from."
    )

    package static let pingLost = FindingCode(
        ("ping_lost", .sessions, .wrong),
        meaning: "A tracking ping was answered with an error or not at all, so the event is not counted.",
        rule: .page(
            .mediaVerification,
            "204 says that an event was recorded",
            quotation: "Successful empty response - HTTP/1.1 204 No Content"
        ),
        .page(
            .mediaVerification,
            "409 loses nothing",
            quotation: "Media verification sent by someone else - HTTP/1.1 409 Conflict"
        ),
        .assumed("a player does not send a ping again that was answered with another error", .allowance),
        likelyCauses: "The tracking service is overloaded by the quartiles of all viewers falling together.",
        "A rule of the tracking host (rate limit, token, country) refuses ordinary viewers.",
        "Connections to the tracking host run out or are closed between breaks.",
        "A proxy in front of it gives up sooner than the service answers.",
        whereToLook: "Requests per 100 ms to the tracking host around the break, and its own error rate."
    )

    package static let redirectChain = FindingCode(
        ("redirect_chain", .sessions, .suspect),
        meaning:
            "An answer came only after more than two redirects, each of which costs a round trip before the break.",
        rule: .segmentsRedirect,
        .hls("D.1", "an interstitial can be answered with a limited number of redirects"),
        .assumed("one redirect to a place and one to the media are enough", .allowance),
        likelyCauses: "Several layers (load balancer, region, session) each send on what the next one sends on again.",
        "http is sent to https and from there to another name.",
        "A pod of redirect type leads to a shortened or signed address of its own.",
        whereToLook: "The Location field of each hop: which of them could have been given at once."
    )

    package static let redirectLoop = FindingCode(
        ("redirect_loop", .sessions, .broken),
        meaning: "A request was sent in circles until the limit of redirects, so the viewer gets no answer at all.",
        rule: .rfc(9110, "15.4", "a client should detect and intervene in cyclical redirections"),
        .assumed("as many redirects as a profile lets follow are a circle", .redirects),
        likelyCauses: "Two servers each hold the other responsible for the session.",
        "A rule that adds a path or scheme catches its own result.",
        "A cookie that ends the redirect is not kept by players.",
        whereToLook: "The Location fields in order: the first address that comes again."
    )

    package static let redirectToOtherHost = FindingCode(
        ("redirect_to_other_host", .sessions, .suspect),
        meaning: """
            A request in the middle of a session was sent on to another host, whose connection the player opens only now: of \
            a pod, in the burst of the break.
            """,
        rule: .assumed(
            """
            RFC 9110 lets any answer lead elsewhere, at the price of a connection; the first addresses, of the session and of \
            the channel's multivariant playlist, may lead to any authorised host, as a choice of CDN does, and segments to \
            that of the media
            """,
            .allowance
        ),
        .segmentsRedirect,
        likelyCauses: "Pods are served by a redirect to the region or the media's host.",
        "A CDN is chosen anew at each request, in place of once, by the multivariant playlist.",
        "One edge of the CDN is drained or overloaded and sends viewers away.",
        "A name of the origin itself leaks past the CDN.",
        whereToLook: "The host in Location: is it one that may serve viewers, and can playlists name it at once?"
    )

    package static let channelUnavailable = FindingCode(
        ("channel_unavailable", .sessions, .broken),
        meaning: "A viewer never got to watch: the multivariant playlist or its first media playlist did not come.",
        rule: .hls("6.2.1", "a live playlist is made available anew until it has EXT-X-ENDLIST"),
        .rfc(9110, "15.6", "5xx says that the server has failed, and not the client"),
        .assumed("a channel that is not there within five seconds has not come", .allowance),
        likelyCauses: "The origin or CDN does not bear all viewers that join at once.",
        "A proxy or load balancer limits connections and lets the others wait.",
        "The URL lacks what the host asks for, such as a token.",
        whereToLook: "The status shown and who sent it, and the limits of connections and rates on the way to it."
    )

    package static let registrationFailed = FindingCode(
        ("registration_failed", .sessions, .broken),
        meaning:
            "A viewer was given no session: its registration was refused, failed or never answered, so it loses its ads.",
        rule: .page(
            .podServing,
            "a registration gives the session's id",
            quotation: "Retrieve the unique user session ID from the stream registration response."
        ),
        .rfc(6585, "4", "429 says that there were too many requests in a given time"),
        .assumed("a registration that is not answered within five seconds is not answered", .allowance),
        likelyCauses: "A rate limit counts viewers that join at once, or a proxy that all of them share, as abuse.",
        "The ad server, or a proxy before it, limits connections and lets the others wait.",
        "The event, key or token of the registration is not valid.",
        whereToLook:
            "The status and Retry-After shown, and the limits of rates and connections on the way to the ad server.",
        fault: "registration_status"
    )

    package static let registrationWithoutStreamID = FindingCode(
        ("registration_without_stream_id", .sessions, .broken),
        meaning: "A stream registration succeeded without giving a stream id, so the viewer fails at every break.",
        rule: .page(
            .podServing,
            "a registration gives the session's id",
            quotation: "Retrieve the unique user session ID from the stream registration response."
        ),
        likelyCauses: "The custom asset key is unknown or its event has ended.",
        "The answer is an error document with a success status.",
        "The field was renamed by a proxy.",
        whereToLook: "The answer of the registration, and whether the event is live."
    )

    package static let sessionExpired = FindingCode(
        ("session_expired", .sessions, .broken),
        meaning:
            "A session was refused as gone although it is valid by its own valid_for or valid_until, so its breaks "
            + "are lost.",
        rule: .page(.registrationFields, "valid_until is when the session expires", quotation: "当前流式会话的到期时间"),
        .rfc(9110, "15.5.11", "410 says that what was asked for is gone, likely for good"),
        .assumed("a session that was registered holds until then", .allowance),
        likelyCauses: "Sessions are kept in a store that evicts them under load.",
        "A release or a failover lost the sessions of one place.",
        "The session was asked for in another place than the one that its stream id names.",
        whereToLook: "The session store: when the stream id was written, evicted or last seen."
    )

    package static let tokenExpired = FindingCode(
        ("token_expired", .sessions, .wrong),
        meaning:
            "The target handed out an address whose token has run out before a player asks for it, or will have by "
            + "then.",
        rule: .page(
            .podTokens,
            "exp is an instant in seconds",
            quotation: "Expiration timestamp for this token in seconds."
        ),
        .assumed("an address that is handed out holds until players ask for it", .allowance),
        likelyCauses: "Tokens are signed for a minute, counted from the announcement and not from the break.",
        "A playlist or asset list with signed addresses is cached longer than its tokens hold.",
        "The clock of the signing host is slow.",
        whereToLook:
            "The token's exp beside the instant of the request; the lifetime that the signer gives and the cache "
            + "adds."
    )

    package static let tokenExpiryInMilliseconds = FindingCode(
        ("token_expiry_in_milliseconds", .sessions, .wrong),
        meaning: "The expiry of a token is in milliseconds where seconds are asked for: the token never runs out.",
        rule: .page(
            .podTokens,
            "exp is an instant in seconds",
            quotation: "Expiration timestamp for this token in seconds."
        ),
        likelyCauses: "The signer uses its language's clock, which counts milliseconds.",
        "The token is made as Google's HTML5 sample makes it.",
        whereToLook: "The signer's computation of exp."
    )

    package static let tokenOfAnotherBreak = FindingCode(
        ("token_of_another_break", .sessions, .wrong),
        meaning: "The token of an address was signed for another break than the one that the address names.",
        rule: .page(
            .podTokens,
            "a token is of one break, which it names",
            quotation: """
                Gather the following information from the current ad break, to populate the token body.
                """
        ),
        likelyCauses: "Tokens are made once and used again for the next break.",
        "The number of a pod counts on while its token is still the last one's.",
        "A cache joins the token of one announcement with the address of another.",
        whereToLook: "Where the token and the identifier are put together: are both taken from the same break?"
    )

    package static let verificationDeferred = FindingCode(
        ("verification_deferred", .sessions, .advice),
        meaning: "Media verification answered 202: the event was taken, but is counted only later.",
        rule: .page(
            .mediaVerification,
            "202 says that the event is counted later",
            quotation: "Accepted for asynchronous verification - HTTP/1.1 202 Accepted"
        ),
        likelyCauses: "The verification service queues while the quartiles of all viewers fall together.",
        "The ad's decision is not yet known where the ping arrived.",
        whereToLook: "The share of 202 among verification answers around the break."
    )

    package static let verificationNotFound = FindingCode(
        ("verification_not_found", .sessions, .wrong),
        meaning: """
            Media verification answered 404 to a whole media id, which the ad itself carries or metadata lists, so the event \
            is not counted.
            """,
        rule: .page(
            .mediaVerification,
            "404 says that nothing is known under the address",
            quotation: "Media verification not found - HTTP/1.1 404 Not Found"
        ),
        .page(
            .clientGuide,
            "the whole id of the event is appended",
            quotation: "by appending the full ad event ID to the media_verification_url and making a GET request"
        ),
        .assumed(
            "an id that metadata lists is whole only where the profile says so or the target has recorded it for a viewer",
            .listedMediaIDs
        ),
        likelyCauses: """
            Where metadata lists it: it is a prefix, and the profile takes it for whole; the whole id stands in the ad's timed \
            metadata (ID3 in MPEG-TS, emsg in fragmented MP4).
            """,
        "Metadata and verification read stores of their own, one of which lags behind.",
        "The session expired in the verification service only.",
        "media_verification_url was rewritten by a proxy, so that the appended id goes astray.",
        whereToLook:
            "The address that was asked: whether it ends with a whole id or with a prefix, and whether the verification "
            + "service knows the session."
    )
}
