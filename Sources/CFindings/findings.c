#include "CFindings.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char audience[] = {
#embed "audience.txt"
    , 0};

static const char commands[] = {
#embed "commands.txt"
    , 0};

static const char costs[] = {
#embed "costs.txt"
    , 0};

static const char draft[] = {
#embed "draft.txt"
    , 0};

static const char fields[] = {
#embed "fields.txt"
    , 0};

static const char findings[] = {
#embed "findings.txt"
    , 0};

static const char log_fields[] = {
#embed "log-fields.txt"
    , 0};

static const char names[] = {
#embed "names.txt"
    , 0};

static const char players[] = {
#embed "players.yaml"
    , 0};

static const char sizing[] = {
#embed "sizing.txt"
    , 0};

static const char survey[] = {
#embed "survey.txt"
    , 0};

static const char words[] = {
#embed "words.txt"
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
