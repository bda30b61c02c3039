#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char audience[] = {
#embed "Texts/audience.txt"
    , 0};

static const char commands[] = {
#embed "Texts/commands.txt"
    , 0};

static const char costs[] = {
#embed "Texts/costs.txt"
    , 0};

static const char draft[] = {
#embed "Texts/draft.txt"
    , 0};

static const char fields[] = {
#embed "Texts/fields.txt"
    , 0};

static const char findings[] = {
#embed "Texts/findings.txt"
    , 0};

static const char log_fields[] = {
#embed "Texts/log-fields.txt"
    , 0};

static const char names[] = {
#embed "Texts/names.txt"
    , 0};

static const char players[] = {
#embed "Texts/players.yaml"
    , 0};

static const char sizing[] = {
#embed "Texts/sizing.txt"
    , 0};

static const char survey[] = {
#embed "Texts/survey.txt"
    , 0};

static const char words[] = {
#embed "Texts/words.txt"
    , 0};

const char *podswarm_audience(void) { return audience; }
const char *podswarm_commands(void) { return commands; }
const char *podswarm_costs(void) { return costs; }
const char *podswarm_draft(void) { return draft; }
const char *podswarm_fields(void) { return fields; }
const char *podswarm_findings(void) { return findings; }
const char *podswarm_log_fields(void) { return log_fields; }
const char *podswarm_names(void) { return names; }
const char *podswarm_players(void) { return players; }
const char *podswarm_sizing(void) { return sizing; }
const char *podswarm_survey(void) { return survey; }
const char *podswarm_words(void) { return words; }
