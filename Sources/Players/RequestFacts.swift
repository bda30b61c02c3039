/// Deadlines and retries by what is asked for.
package struct RequestFacts: Sendable, Equatable {
    package var multivariant: RequestRule
    package var playlist: RequestRule
    package var segment: RequestRule
    /// Asset lists and, for a client's own breaks, pod manifests.
    package var assetList: RequestRule
    /// What X-ASSET-URI and an asset list's URIs name: an asset's first playlist.
    package var asset: RequestRule
    package var steering: RequestRule

    package init(
        multivariant: RequestRule,
        playlist: RequestRule,
        segment: RequestRule,
        assetList: RequestRule,
        asset: RequestRule,
        steering: RequestRule
    ) {
        self.multivariant = multivariant
        self.playlist = playlist
        self.segment = segment
        self.assetList = assetList
        self.asset = asset
        self.steering = steering
    }

    package init(all rule: RequestRule) {
        self.init(
            multivariant: rule,
            playlist: rule,
            segment: rule,
            assetList: rule,
            asset: rule,
            steering: rule
        )
    }
}

/// How long one kind of request may take, and what follows a failure.
package struct RequestRule: Sendable, Equatable {
    /// nil: as the connection's own.
    package var connect: Duration?
    package var firstByte: Duration?
    package var total: Duration?
    package var afterTimeout: RetryRule
    package var afterError: RetryRule
    /// After a connection that was refused, reset or cut off: there is no status to go by.
    package var afterNoAnswer: RetryRule
    /// Whether a 4xx answer is an error that is retried.
    package var retriesClientErrors: Bool

    package init(
        connect: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration? = nil,
        afterTimeout: RetryRule = .none,
        afterError: RetryRule = .none,
        afterNoAnswer: RetryRule? = nil,
        retriesClientErrors: Bool = false
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.total = total
        self.afterTimeout = afterTimeout
        self.afterError = afterError
        self.afterNoAnswer = afterNoAnswer ?? afterError
        self.retriesClientErrors = retriesClientErrors
    }
}

extension RequestRule {
    /// The same where a wait that is not the usual one comes first.
    package func waitingFirst(_ wait: Duration?) -> RequestRule {
        guard let wait else { return self }
        var rule = self
        rule.afterTimeout.firstWait = wait
        rule.afterError.firstWait = wait
        rule.afterNoAnswer.firstWait = wait
        return rule
    }

    /// The same for what nothing is shown without: retries without an end are as many as may come before an error surfaces.
    package func ending(after retries: Int?) -> RequestRule {
        guard let retries else { return self }
        var rule = self
        for path in [\RequestRule.afterTimeout, \.afterError, \.afterNoAnswer] where rule[keyPath: path].isEndless {
            rule[keyPath: path].retries = retries
        }
        return rule
    }
}

/// A number of retries and the waits before them.
package struct RetryRule: Sendable, Equatable {
    package enum Growth: String, Sendable, CaseIterable {
        /// The first wait, then `factor` times the one before.
        case exponential
        /// (n - 1) times the first wait before the n-th retry.
        case linear
    }

    /// `endless` for ever.
    package var retries: Int
    package var firstWait: Duration
    package var growth: Growth
    package var factor: Double
    package var longestWait: Duration
    /// Each wait is drawn from this part more or less, such as 0.5 for 50 %.
    package var fuzz: Double

    package init(
        retries: Int,
        firstWait: Duration = .zero,
        growth: Growth = .exponential,
        factor: Double = 2,
        longestWait: Duration = .seconds(8),
        fuzz: Double = 0
    ) {
        self.retries = retries
        self.firstWait = firstWait
        self.growth = growth
        self.factor = factor
        self.longestWait = longestWait
        self.fuzz = fuzz
    }

    package static let none = RetryRule(retries: 0)

    /// A number of retries that no outage comes to.
    package static let endless = Int.max

    package var isEndless: Bool { retries == Self.endless }

    /// The wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: 1 for the first.
    ///   - chance: From 0 up to 1; decides where in the fuzz the wait lies.
    /// - Returns: nil where no retry is left.
    package func wait(before retry: Int, chance: Double) -> Duration? {
        guard retry >= 1, retry <= retries else { return nil }
        let first = firstWait / .seconds(1)
        let plain: Double
        switch growth {
        case .exponential:
            var grown = first
            for _ in 1..<max(retry, 1) where grown < 1e6 { grown *= factor }
            plain = grown
        case .linear: plain = first * Double(retry - 1)
        }
        let capped = min(plain, longestWait / .seconds(1))
        return .seconds(capped * (1 + fuzz * (chance * 2 - 1)))
    }
}
