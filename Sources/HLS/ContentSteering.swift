import Values

/// EXT-X-CONTENT-STEERING (bis-22 section 4.4.6.6).
package struct ContentSteering: Hashable, Sendable {
    /// The pathway of variants without PATHWAY-ID.
    package static let defaultPathway = "."
    package static let pathwayParameter = "_HLS_pathway"
    package static let throughputParameter = "_HLS_throughput"

    /// As the playlist spells it: relative to the playlist, or a `data:` URI.
    package var serverURI: String
    package var pathwayID: String?
    package var otherAttributes: [String: AttributeValue]

    package init(serverURI: String, pathwayID: String? = nil, otherAttributes: [String: AttributeValue] = [:]) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
        self.otherAttributes = otherAttributes
    }

    var attributeText: AttributeText {
        var list = AttributeText()
        list.quoted("SERVER-URI", serverURI)
        list.quoted("PATHWAY-ID", pathwayID)
        list.others(otherAttributes)
        return list
    }

    /// The URL of a steering request with the client's parameters (bis-22 section 7.2).
    ///
    /// `reference` is SERVER-URI or RELOAD-URI, `base` the URL of the document that names it. A `data:` URI needs no request
    /// and is returned unchanged; see ``DataURI``. Throughput is in bits per second.
    package static func requestURL(
        _ reference: String,
        base: String,
        pathway: String?,
        throughput: Int? = nil
    ) -> String {
        guard !DataURI.isOne(reference) else {
            return reference
        }
        var query = URLQuery(of: URLReference.resolve(reference, against: base) ?? reference)
        if let pathway {
            query.set(pathwayParameter, to: pathway)
        }
        if let throughput {
            query.set(throughputParameter, to: String(max(0, throughput)))
        }
        return query.url
    }
}

extension MultivariantPlaylist {
    /// In the order of their first variants.
    package var pathways: [String] {
        var known: Set<String> = []
        return variants.map(\.pathwayID).filter { known.insert($0).inserted }
    }

    package func variants(onPathway pathway: String) -> [Variant] {
        variants.filter { $0.pathwayID == pathway }
    }
}

extension MultivariantPlaylist.Variant {
    package var pathwayID: String {
        get { otherAttributes["PATHWAY-ID"]?.text ?? ContentSteering.defaultPathway }
        set { otherAttributes["PATHWAY-ID"] = .quoted(newValue) }
    }

    package var stableID: String? {
        otherAttributes["STABLE-VARIANT-ID"]?.text
    }
}

extension MultivariantPlaylist.Rendition {
    package var stableID: String? {
        otherAttributes["STABLE-RENDITION-ID"]?.text
    }
}

/// The `data:` URIs of RFC 2397, by which a playlist can carry its steering manifest with it.
package enum DataURI {
    package static func isOne(_ uri: String) -> Bool {
        uri.prefix(5).lowercased() == "data:"
    }

    /// Nil for another URI or malformed base64.
    package static func body(of uri: String) -> [UInt8]? {
        guard isOne(uri), let comma = uri.firstIndex(of: ",") else {
            return nil
        }
        let content = PercentEncoding.decode(uri[uri.index(after: comma)...])
        guard uri[..<comma].lowercased().hasSuffix(";base64") else {
            return Array(content.utf8)
        }
        return Base64.decode(content)
    }
}
