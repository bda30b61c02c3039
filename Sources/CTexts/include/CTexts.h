// Embeds tables in the executable, which Swift cannot do.

#ifndef PODSWARM_CTEXTS_H
#define PODSWARM_CTEXTS_H

/// The text of audience.txt.
const char *_Nonnull podswarm_audience(void);

/// The text of commands.txt.
const char *_Nonnull podswarm_commands(void);

/// The text of costs.txt.
const char *_Nonnull podswarm_costs(void);

/// The text of draft.txt.
const char *_Nonnull podswarm_draft(void);

/// The text of fields.txt.
const char *_Nonnull podswarm_fields(void);

/// The text of findings.txt.
const char *_Nonnull podswarm_findings(void);

/// The text of log-fields.txt.
const char *_Nonnull podswarm_log_fields(void);

/// The text of names.txt.
const char *_Nonnull podswarm_names(void);

/// The text of players.yaml.
const char *_Nonnull podswarm_players(void);

/// The text of sizing.txt.
const char *_Nonnull podswarm_sizing(void);

/// The text of survey.txt.
const char *_Nonnull podswarm_survey(void);

/// The text of words.txt.
const char *_Nonnull podswarm_words(void);

#endif
