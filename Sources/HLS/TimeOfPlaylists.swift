// Playlists speak in instants and durations: who reads one has these at hand.
@_exported public import Time
