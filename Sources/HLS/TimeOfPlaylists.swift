// Playlists contain instants and durations, so every importer of HLS gets Time too.
@_exported public import Values
