// Made by generate.mjs from the API description: "npm run types -w libs/client".
export interface components {
  schemas: {
    readonly ActionAuditLog: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description Newest first. */
      readonly entries: readonly {
        /** @description Id of the caller, null like key_id. */
        readonly actor_id: string | null;
        /** @description Who called. */
        readonly actor_type: 'agent' | 'user' | 'service' | 'api_key' | (string & {});
        /** @description Stable id. */
        readonly entry_id: string;
        /** @description e.g. permission_denied, invalid_arguments, rate_limited, internal_error; null on success. */
        readonly error_type: string | null;
        /** @description Of the canonical JSON (RFC 8785) of the arguments as sent. */
        readonly input_sha256: string;
        /** @description Id of the API key, never the key; null where another tenant's credential asked for this tenant. */
        readonly key_id: string | null;
        /** @description Time to answer, in milliseconds. */
        readonly latency_ms: number;
        /** @description Of the canonical JSON of the result; null when none was produced. */
        readonly output_sha256: string | null;
        /** @description How it ended. */
        readonly status: 'success' | 'error' | (string & {});
        /**
         * Format: date-time
         * @description When the call arrived.
         */
        readonly timestamp: string;
        /** @description Tool name; unknown_tool where the call named none of ours. */
        readonly tool: string;
      }[];
      /** @description Entries on this page. */
      readonly entry_count: number;
      /** @description Failed share of all matching entries. */
      readonly error_rate: number;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Pass as cursor for older entries; null on the last page. */
      readonly next_cursor: string | null;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description Calls per tool name over all matching entries. */
      readonly tool_breakdown: {
        readonly [key: string]: number;
      };
      /** @description Entries that match the filters, over all pages. */
      readonly total_count: number;
    };
    readonly ActionAuditLogAnswer: {
      readonly data: components['schemas']['ActionAuditLog'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description A code of the alert catalogue. */
    readonly AlertCode:
      | 'no_audit_entries_available'
      | 'payloads_not_stored_only_sha256_hashes'
      | 'no_bandit_state_available'
      | 'recommendations_are_company_scoped_not_per_campaign'
      | 'no_data_ingested_yet'
      | 'awaiting_first_daily_run'
      | 'campaign_not_found'
      | 'contact_unknown'
      | 'no_recommendations_available'
      | 'no_workflow_decisions_available'
      | 'no_calibration_available'
      | 'calibration_inconclusive'
      | 'predictions_off'
      | 'small_sample'
      | 'very_small_sample'
      | 'unresolved_outcomes_excluded'
      | 'borrowed_prior'
      | 'migration_arms_only'
      | 'mixed_data_sources'
      | 'placeholder_estimate'
      | 'position_low_confidence'
      | 'stale_data'
      | 'very_stale_data'
      | 'stale_analysis'
      | 'last_run_failed'
      | 'drift_detected'
      | 'drift_relearning'
      | 'drift_not_evaluated'
      | 'stale_outcomes'
      | 'very_stale_outcomes'
      | 'source_silent'
      | 'silence_not_reported'
      | 'late_replies'
      | 'channel_left_idle'
      | 'audience_mix_changed'
      | 'volume_changed'
      | 'high_bounce_rate'
      | 'elevated_bounce_rate'
      | 'elevated_unsubscribe_rate'
      | 'below_company_baseline'
      | 'contact_unsubscribed'
      | 'contact_bounced'
      | 'decisions_overtaken'
      | 'results_truncated'
      | 'window_clamped_to_retention'
      | 'denied_attempts_present'
      | 'quota_nearly_exhausted'
      | 'key_expires_soon'
      | (string & {});
    /** @description The stored record of one analysis. */
    readonly AnalysisRecord: {
      /** @description Key of the record: a metric and `_analysis`, or an operational row. */
      readonly analysisKey:
        | 'general_analysis'
        | 'timing_matrix'
        | 'tone_analysis'
        | 'body_content_analysis'
        | 'subject_lines_analysis'
        | 'send_timing_analysis'
        | 'readability_analysis'
        | 'personalization_analysis'
        | 'social_proof_analysis'
        | 'messaging_approach_analysis'
        | 'key_phrases_analysis'
        | 'llm_analysis'
        | 'recipient_profiling_analysis'
        | (string & {});
      /** @description Tenant id. */
      readonly companyId: string;
      readonly data: {
        /** @description Statistics per dimension; the keys depend on the metric. */
        readonly analyses: {
          readonly llm?: {
            /** @description Those among them that were answered. */
            readonly answered_messages_read: number;
            /** @description What the texts rest on. */
            readonly basis: string;
            /** @description Messages in the sample. */
            readonly messages_read: number;
            /** @description Language model that wrote them. */
            readonly model: string;
            /** @description What speaks for them. */
            readonly strengths: readonly string[];
            /** @description What the messages are about. */
            readonly themes: readonly {
              /** @description In a word or two. */
              readonly name: string;
              /** @description In a sentence. */
              readonly observation: string;
            }[];
            /** @description What speaks against them. */
            readonly weaknesses: readonly string[];
          };
          /** @description Rates per position of the recipients. */
          readonly positions?: readonly {
            /** @description Messages to this position. */
            readonly messages: number;
            /** @description Position bucket. */
            readonly position: string;
            /** @description Recipients who have answered. */
            readonly profiled: number;
            /** @description Replies to them. */
            readonly replies: number;
            /** @description Reply rate of this position. Equal-tailed 95 % credible interval; nulls when n is 0. */
            readonly reply_rate: {
              /** @description Upper end of the 95 % interval. */
              readonly ci_high: number | null;
              /** @description Lower end of the 95 % interval. */
              readonly ci_low: number | null;
              /** @description Outcomes it rests on. */
              readonly n: number;
              /** @description Posterior mean, 0 to 1. */
              readonly value: number | null;
            };
          }[];
          /** @description Groups of similar recipients. */
          readonly segments?: readonly {
            /** @description high from size 10. */
            readonly confidence_level: 'high' | 'medium' | (string & {});
            /** @description Position of most of them; unknown when mixed. */
            readonly dominant_position: string;
            /** @description Stable id. */
            readonly id: string;
            /** @description What they have in common. */
            readonly key_insights: readonly string[];
            /** @description Name for people. */
            readonly name: string;
            /** @description What they answer to, by dimension. */
            readonly optimal_patterns: {
              readonly [key: string]: unknown;
            };
            /** @description Recipients in it. */
            readonly size: number;
            /** @description How well the segment stays when replies are drawn again: mean Jaccard similarity. */
            readonly stability: number;
          }[];
          /** @description Weekday by hour. */
          readonly timing_matrix?: {
            /** @description Columns: hours of the sender’s clock. */
            readonly hours: readonly number[];
            /** @description Messages per weekday and hour. */
            readonly messages: readonly (readonly number[])[];
            /** @description Replies per weekday and hour. */
            readonly replies: readonly (readonly number[])[];
            /** @description null where nothing was sent. */
            readonly reply_rate: readonly (readonly (number | null)[])[];
            /** @description Messages whose hour is known. */
            readonly total_messages: number;
            /** @description Rows: monday to sunday. */
            readonly weekdays: readonly string[];
          };
        } & {
          readonly [key: string]: {
            /** @description Every level of the dimension. */
            readonly levels: readonly {
              /** @description Pattern code whose mark this level is. */
              readonly code: string | null;
              /** @description The level in words. */
              readonly label: string;
              /** @description Name of the level. */
              readonly level: string;
              /** @description Messages on this level. */
              readonly messages: number;
              /** @description Replies to them. */
              readonly replies: number;
              /** @description Reply rate on this level. Equal-tailed 95 % credible interval; nulls when n is 0. */
              readonly reply_rate: {
                /** @description Upper end of the 95 % interval. */
                readonly ci_high: number | null;
                /** @description Lower end of the 95 % interval. */
                readonly ci_low: number | null;
                /** @description Outcomes it rests on. */
                readonly n: number;
                /** @description Posterior mean, 0 to 1. */
                readonly value: number | null;
              };
              /** @description Share of the dimension's messages. */
              readonly share: number;
            }[];
            /** @description Messages that this dimension could judge. */
            readonly total_messages: number;
            /** @description Replies to them. */
            readonly total_replies: number;
          };
        };
        /** @description Where the analysis emits them. */
        readonly insights?: readonly {
          readonly [key: string]: unknown;
        }[];
        /** @description Pattern records of these dimensions. */
        readonly recommendations: readonly ({
          /** @description Pattern code, e.g. TA-1, DOW-2 or BWC-OBS-1. */
          readonly code: string;
          /** @description What the finding rests on: settled messages since counted_since. */
          readonly evidence?: {
            /** @description Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect. */
            readonly basis: 'randomized' | 'observational' | (string & {});
            /** @description Share of the messages that are compared with any of the other side. */
            readonly compared_share: number;
            /** @description Sensitivity: how strong a hidden cause would have to be, as a risk ratio, to explain the effect away. */
            readonly confounding_e_value: number;
            /** @description The same for the end of the interval nearer to no effect; 1 where the interval holds it. */
            readonly confounding_e_value_limit: number;
            /** @description First send day that counts, YYYY-MM-DD. */
            readonly counted_since: string | null;
            /** @description Evidence that the effect is not chance; it may be looked at every day. */
            readonly e_value: number;
            /**
             * Format: date
             * @description Only where replies changed after counted_since: the two rates are at the level of replies since this day. Otherwise they are at the level since counted_since.
             */
            readonly level_since?: string;
            /** @description Relative change of the reply rate that odds_ratio means, 0.25 = a quarter more replies. */
            readonly lift: number;
            /** @description Upper end of its 95 % interval. */
            readonly lift_high: number;
            /** @description Lower end of its 95 % interval, valid however often one looks. */
            readonly lift_low: number;
            /** @description Campaigns inside which messages with it and without it are compared. */
            readonly n_campaigns: number;
            /** @description Campaigns that send messages with it. */
            readonly n_campaigns_with: number;
            /** @description Campaigns that send messages without it. */
            readonly n_campaigns_without: number;
            /** @description Texts with it, effective number: rare ones count less than others, and very many are counted in bundles, so that as many were sent or more; days for weekdays and times of day, the same weekday twice in a fortnight as one. */
            readonly n_texts_with: number;
            /** @description The same without it. */
            readonly n_texts_without: number;
            /** @description Compared inside campaign, fortnight, step, position and channel. */
            readonly odds_ratio: number;
            /** @description The odds ratio to plan with: nearer to 1 than odds_ratio, the more so the thinner the evidence, because the largest of many estimates are the luckiest. */
            readonly odds_ratio_expected: number;
            /** @description Upper end of its 95 % interval. */
            readonly odds_ratio_high: number;
            /** @description Lower end of its 95 % interval, valid however often one looks. */
            readonly odds_ratio_low: number;
            /** @description Probability that the pattern helps. */
            readonly probability_positive: number;
            /** @description Further messages like those so far until it is confirmed; null: more of them would not do. */
            readonly sends_to_decide: number | null;
            /** @description Messages of a trial that would confirm 50 % more replies: half of them with it, by lot inside one campaign. */
            readonly trial_sends: number | null;
            /** @description Reply rate with the pattern. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
            readonly with_rate: {
              /** @description Upper end of the 95 % interval. */
              readonly ci_high: number | null;
              /** @description Lower end of the 95 % interval. */
              readonly ci_low: number | null;
              /** @description Settled messages of this side. */
              readonly n: number;
              /** @description 0 to 1. */
              readonly value: number | null;
            };
            /** @description Reply rate without it. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
            readonly without_rate: {
              /** @description Upper end of the 95 % interval. */
              readonly ci_high: number | null;
              /** @description Lower end of the 95 % interval. */
              readonly ci_low: number | null;
              /** @description Settled messages of this side. */
              readonly n: number;
              /** @description 0 to 1. */
              readonly value: number | null;
            };
          };
          /** @description The tier in words; absent where nothing is claimed. */
          readonly evidence_tier?: 'confirmed' | 'likely' | 'directional' | (string & {});
          /**
           * Format: date-time
           * @description When the code was first confirmed.
           */
          readonly first_confirmed_at?: string;
          /** @description The stronger code that explains this one; only for the reason goes_with. */
          readonly goes_with?: string;
          /** @description On observation records: the levels that messages have, in the order of the dimension. Not a comparison. */
          readonly levels?: readonly {
            /** @description Level of the dimension, e.g. direct. */
            readonly level: string;
            /** @description Reply rate of its messages, and how many they are. Equal-tailed 95 % credible interval; nulls when n is 0. */
            readonly rate: {
              /** @description Upper end of the 95 % interval. */
              readonly ci_high: number | null;
              /** @description Lower end of the 95 % interval. */
              readonly ci_low: number | null;
              /** @description Outcomes it rests on. */
              readonly n: number;
              /** @description Posterior mean, 0 to 1. */
              readonly value: number | null;
            };
          }[];
          /** @description What was found and what to do. May contain the HTML elements b, em, strong and code, and no other. */
          readonly message?: string;
          /** @description Metric or strategy summary. */
          readonly metric?: string;
          /** @description true: do more of this; false: avoid it. */
          readonly positive?: boolean;
          /** @description Why nothing is claimed; only where nothing is. message says it in words. */
          readonly reason?:
            | 'no_data'
            | 'varies_between_campaigns'
            | 'few_texts'
            | 'goes_with'
            | 'changed'
            | 'survivors'
            | 'undecided'
            | 'erased'
            | (string & {});
          /**
           * Format: date-time
           * @description When a code that was confirmed or likely no longer was either.
           */
          readonly retracted_at?: string;
          /** @description Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional, 0 nothing claimed. */
          readonly tier?: number;
          /** @description Headline. May contain the HTML elements b, em, strong and code, and no other. */
          readonly title?: string;
          /** @description Catalogue record type: recommendation, retraction or undecided; absent on observation records. */
          readonly type?: string;
        } & {
          readonly [key: string]: unknown;
        })[];
        /** @description Totals, where the analysis emits them. */
        readonly summary?: {
          /** @description Messages that led to a meeting, as far as callers report it. */
          readonly total_meetings: number;
          /** @description Messages. */
          readonly total_messages: number;
          /** @description Messages that were opened, as far as callers report it. */
          readonly total_opens: number;
          /** @description Messages that were answered. */
          readonly total_replies: number;
        };
      };
      readonly metadata: {
        /** @description analysisKey without the `_analysis` suffix. */
        readonly metric: string;
        /**
         * Format: date-time
         * @description Last recompute.
         */
        readonly updated: string;
        /** @description Version of the storage format. */
        readonly version: '2.0' | (string & {});
      };
    };
    readonly AnalysisRecordAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['AnalysisRecord'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly BanditState: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /** @description Arms that match the filters, before top_n. */
      readonly arm_count: number;
      /** @description Best posterior mean first. */
      readonly arms: readonly {
        /** @description Beta alpha. */
        readonly alpha: number;
        /** @description Beta beta. */
        readonly beta: number;
        /** @description Channel of the arm. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number;
        /** @description Upper end of it. */
        readonly current_high: number;
        /** @description Lower end of the 95 % interval of the next seven days' mean rate. */
        readonly current_low: number;
        /**
         * Format: date
         * @description First send day that counts: that of the last change of the channel, or of its first message.
         */
        readonly data_from: string;
        /** @description migration: every outcome came with imported history; live: outcomes have streamed in. It has no bearing on trust. */
        readonly data_source: 'migration' | 'live' | (string & {});
        /** @description Messages left after older ones were discounted. */
        readonly effective_n: number;
        /** @description By how much the rate may move in the next 30 days: a standard deviation on the logit. */
        readonly forward_sd: number;
        /** @description Share of the arm's messages whose reply may still come. */
        readonly immature_share: number;
        /** @description What alpha, beta and the interval are about: the mean reply rate of the next 30 days. */
        readonly interval_target: 'next_30_days_mean_rate' | (string & {});
        /** @description How the interval is cut. */
        readonly interval_type: 'equal_tailed_95' | (string & {});
        /** @description Newest outcome in the arm. */
        readonly last_outcome_at: string | null;
        /** @description posterior_mean without other companies' outcomes: the difference is what the platform prior did. */
        readonly market_mean: number;
        /** @description Mean age of the messages as they are weighted, in days. */
        readonly memory_days: number;
        /** @description The tenant's own messages in the arm, undiscounted. */
        readonly observations: number;
        /** @description Share of the posterior's precision that is the tenant's own data; below 0.5 the arm is mostly borrowed. */
        readonly own_data_share: number;
        /** @description Position bucket of the recipients. */
        readonly position:
          | 'unknown'
          | 'c_suite'
          | 'founder'
          | 'partner'
          | 'vp'
          | 'director'
          | 'manager'
          | 'technical'
          | 'individual_contributor'
          | 'administrative'
          | 'entry_level'
          | (string & {});
        /** @description alpha / (alpha + beta). */
        readonly posterior_mean: number;
        /** @description Beta variance. */
        readonly posterior_variance: number;
        /** @description 1 - own_data_share, kept for readers of the older name. */
        readonly prior_weight: number;
        /** @description Chance that this arm is the best of the matching arms. */
        readonly probability_best: number;
        /** @description Replies among them. */
        readonly replies: number;
      }[];
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Bucket that the position asked for was taken for; null where none was, or none is known. */
      readonly position:
        | (
            | 'unknown'
            | 'c_suite'
            | 'founder'
            | 'partner'
            | 'vp'
            | 'director'
            | 'manager'
            | 'technical'
            | 'individual_contributor'
            | 'administrative'
            | 'entry_level'
            | (string & {})
          )
        | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What the arms lean on while data is scarce. */
      readonly prior: {
        /** @description Reply rate that it expects before any outcome. */
        readonly expected_rate: number | null;
        /** @description What at least twenty other companies have in common, or a fixed prior; null before a run. */
        readonly source: ('platform' | 'market' | (string & {})) | null;
      };
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
    };
    readonly BanditStateAnswer: {
      readonly data: components['schemas']['BanditState'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly Calibration: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description The newest decisions (at most `limit`) that cannot be scored yet. */
      readonly awaiting: {
        /** @description Day on which the first of these settles. */
        readonly first_settles_on: string | null;
        /** @description Decisions whose advice was followed by a message that has not settled. */
        readonly open: number;
        /** @description Decisions that no message has followed. */
        readonly unfollowed: number;
      };
      /** @description Share of messages that were answered. */
      readonly base_rate: number | null;
      /** @description Mean squared error of the predictions; lower is better. */
      readonly brier_score: number | null;
      /** @description One minus the Brier score over that of the base rate; above 0 contacts are told apart. */
      readonly brier_skill: number | null;
      /** @description Newest first, at most 30. */
      readonly by_run: readonly {
        /** @description Mean squared error of the predictions; lower is better. */
        readonly brier_score: number | null;
        /**
         * Format: date-time
         * @description When.
         */
        readonly decided_at: string;
        /** @description Sum of the predicted chances. */
        readonly expected_replies: number;
        /** @description Whether the stated intervals held. */
        readonly interval_coverage: {
          /** @description Groups whose replies lay within what their 95 % interval had announced. */
          readonly covered: number;
          /** @description Groups of like predictions that expected at least two replies. */
          readonly groups: number;
          /** @description Covered over all; sound intervals give 0.95 or a little more. */
          readonly share: number | null;
        };
        /** @description Mean logarithm of the chance given to what happened; 0 is perfect. */
        readonly log_score: number | null;
        readonly observed_over_expected: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Observed over expected replies; 1 is perfect. */
          readonly value: number | null;
        };
        /** @description Replies that came. */
        readonly observed_replies: number;
        /** @description Decisions whose advice was followed by a message with a settled outcome. */
        readonly predictions: number;
        /** @description Run that made the predictions. */
        readonly run_id: string;
      }[];
      readonly calibration_slope: {
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description Slope of outcomes on predicted log-odds; 1 is perfect, null where predictions do not differ enough. */
        readonly value: number | null;
      };
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description Version of the computation; empty before the first run. */
      readonly engine_version: string;
      /** @description Mean gap between predicted and observed rate over ten bins of equal mass. */
      readonly expected_calibration_error: number | null;
      /** @description Sum of the predicted chances. */
      readonly expected_replies: number;
      /** @description Whether the stated intervals held. */
      readonly interval_coverage: {
        /** @description Groups whose replies lay within what their 95 % interval had announced. */
        readonly covered: number;
        /** @description Groups of like predictions that expected at least two replies. */
        readonly groups: number;
        /** @description Covered over all; sound intervals give 0.95 or a little more. */
        readonly share: number | null;
      };
      /** @description Mean logarithm of the chance given to what happened; 0 is perfect. */
      readonly log_score: number | null;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      readonly observed_over_expected: {
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description Observed over expected replies; 1 is perfect. */
        readonly value: number | null;
      };
      /** @description Replies that came. */
      readonly observed_replies: number;
      /** @description How lasting confirmed patterns were. */
      readonly patterns: {
        /** @description Patterns that were confirmed at some time. */
        readonly ever_confirmed: number;
        /** @description Those that are neither confirmed nor likely any more. */
        readonly retracted: number;
        /** @description Retracted over ever confirmed. */
        readonly retracted_share: number | null;
      };
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description Decisions whose advice was followed by a message with a settled outcome. */
      readonly predictions: number;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /** @description Predictions beside outcomes, in order of the prediction. */
      readonly reliability_bins: readonly {
        /** @description Share of the bin that was answered. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly observed: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description Mean prediction of the bin. */
        readonly predicted: number;
      }[];
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description Decisions scored. */
      readonly window: {
        /** @description Oldest decision scored. */
        readonly from: string | null;
        /** @description Most decisions of each channel that are scored, those with the newest messages. */
        readonly limit: number;
        /** @description Newest decision scored. */
        readonly to: string | null;
      };
    };
    readonly CalibrationAnswer: {
      readonly data: components['schemas']['Calibration'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly CampaignHealth: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Company-wide figures for the same window. */
      readonly baseline: {
        /** @description Campaign minus company reply rate. */
        readonly difference: number | null;
        /** @description Probability that the campaign replies worse than the rest of the company; null where it is all that the company sent. */
        readonly probability_below: number | null;
        /** @description Company reply rate in the same window. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly reply_rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
      };
      /** @description Share of all messages that bounced. Equal-tailed 95 % credible interval; nulls when n is 0. */
      readonly bounce_rate: {
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description Outcomes it rests on. */
        readonly n: number;
        /** @description Posterior mean, 0 to 1. */
        readonly value: number | null;
      };
      /** @description Campaigns by status. Without campaign_id all that sent in the window: of the 100 latest to send, or fewer where they are very large. */
      readonly by_status: {
        /** @description Campaigns. */
        readonly critical: number;
        /** @description Campaigns. */
        readonly healthy: number;
        /** @description Campaigns. */
        readonly insufficient_data: number;
        /** @description Campaigns. */
        readonly watch: number;
      };
      /** @description Per sequence step, in order. The 51 rows with most messages, then results_truncated is among the alerts; one channel has no more. */
      readonly by_step: readonly {
        /** @description Channel. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description Replies. */
        readonly responded: number;
        /** @description Settled messages. */
        readonly sent: number;
        /** @description Zero-based step. */
        readonly sequence_step: number;
      }[];
      /** @description Campaigns that the answer is about: 1, 0 where it is unknown, or all that were judged. */
      readonly campaign_count: number;
      /** @description Campaign the answer is about; null where it is about all. */
      readonly campaign_id: string | null;
      /** @description Without campaign_id: all, worst first. All other fields are of them together, and by_step, issues, changes and variants are empty. */
      readonly campaigns: readonly {
        /** @description Share of the messages of the window that bounced. */
        readonly bounce_rate: number | null;
        /** @description Campaign, as sent at ingestion. */
        readonly campaign_id: string;
        /**
         * Format: date-time
         * @description First message of the campaign.
         */
        readonly first_sent_at: string;
        /** @description Codes of what drives the status, worst first. */
        readonly issues: readonly string[];
        /**
         * Format: date-time
         * @description Last message of the campaign.
         */
        readonly last_sent_at: string;
        /** @description Messages too young to count as answered or not. */
        readonly pending: number;
        /** @description Share of settled messages that were answered. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly reply_rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        readonly reply_ratio: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Replies observed over expected, shrunk; 1 is as expected. */
          readonly value: number | null;
        };
        /** @description Settled messages in the window. */
        readonly sample_size: number;
        /** @description Worst issue first decides; insufficient_data means unknown, not healthy. */
        readonly status: 'insufficient_data' | 'healthy' | 'watch' | 'critical' | (string & {});
        /** @description Share of them that led to an unsubscribe. */
        readonly unsubscribe_rate: number | null;
      }[];
      /** @description The last change of each of its channels. With the campaign's own rates on both sides. */
      readonly changes: readonly {
        /** @description The campaign's own reply rate since then. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly after: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description The campaign's own reply rate before it, over its whole life. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly before: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description Channel whose reply rate changed. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description Whether replies rose or fell. */
        readonly direction: 'up' | 'down' | (string & {});
        /**
         * Format: date
         * @description Likeliest first send day after the change: mostly exact with thousands of messages a day, else often a day early; with few it may be some days off.
         */
        readonly since: string;
      }[];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference. */
      readonly data_source: 'own' | 'segment' | 'company' | 'prior' | (string & {});
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description First message of the campaign. */
      readonly first_sent_at: string | null;
      /** @description What drives the status, worst first. */
      readonly issues: readonly {
        /** @description Upper end of its 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of its 95 % interval. */
        readonly ci_low: number | null;
        /** @description Same code as in alerts where one exists. */
        readonly code: string;
        /** @description What was seen. */
        readonly message: string;
        /** @description How far to act on it. */
        readonly severity: 'info' | 'warning' | 'critical' | (string & {});
        /** @description What to do. */
        readonly suggested_action: string;
        /** @description The number behind the issue. */
        readonly value: number | null;
      }[];
      /** @description Last message of the campaign. */
      readonly last_sent_at: string | null;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Messages per outcome. */
      readonly outcomes: {
        /** @description Bounces. */
        readonly bounced: number;
        /** @description Closed without reply. */
        readonly no_response: number;
        /** @description Replies. */
        readonly responded: number;
        /** @description Unsubscribes. */
        readonly unsubscribed: number;
      };
      /** @description Share of the reply rate's weight that is the campaign's own outcomes. */
      readonly own_data_share: number;
      /** @description Messages too young to count as answered or not; left out of the rates. */
      readonly pending: number;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /** @description Messages of the window answered by asking to be removed. They count as unsubscribes, not as replies. */
      readonly replied_and_unsubscribed: number;
      /** @description Replies against expectation. So an easier audience does not look like a better campaign. Of one that is over half of what its company sent, and of all together, the ratio is that of their own reply rate, not shrunk. */
      readonly replies: {
        /** @description Upper end of its 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of its 95 % interval. */
        readonly ci_low: number | null;
        /** @description Replies expected of the same channels, positions and steps. */
        readonly expected: number | null;
        /** @description Replies seen. */
        readonly observed: number;
        /** @description Observed over expected, shrunk; 1 is as expected. */
        readonly ratio: number | null;
      };
      /** @description Share of settled messages that were answered. Equal-tailed 95 % credible interval; nulls when n is 0. */
      readonly reply_rate: {
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description Outcomes it rests on. */
        readonly n: number;
        /** @description Posterior mean, 0 to 1. */
        readonly value: number | null;
      };
      /** @description Settled messages in the window. */
      readonly sample_size: number;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description Where campaign_id is unknown: ids that may be meant. Up to 10, likeliest first. */
      readonly similar_campaign_ids: readonly string[];
      /** @description Worst issue first decides; insufficient_data means unknown, not healthy. */
      readonly status: 'insufficient_data' | 'healthy' | 'watch' | 'critical' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description Distinct contacts messaged; null above 20,000 messages. Without campaign_id summed over campaigns. */
      readonly unique_recipients: number | null;
      /** @description Share of all messages that led to an unsubscribe. Equal-tailed 95 % credible interval; nulls when n is 0. */
      readonly unsubscribe_rate: {
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description Outcomes it rests on. */
        readonly n: number;
        /** @description Posterior mean, 0 to 1. */
        readonly value: number | null;
      };
      /** @description Variants of the campaign against each other. Over its whole life and all channels, whatever window_days and channel were asked for; claims about these texts and no others. At most 20, those with most messages; fewer where the answer would become large. */
      readonly variants: readonly {
        /** @description Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect. */
        readonly basis: 'randomized' | 'observational' | (string & {});
        /** @description Evidence that the difference is not chance; it may be looked at every day. */
        readonly e_value: number;
        /** @description null: nothing is claimed yet. */
        readonly evidence_tier: ('confirmed' | 'likely' | 'directional' | (string & {})) | null;
        /** @description Settled messages. */
        readonly n: number;
        /** @description Against the other variants of the campaign, inside fortnight, step, position, channel. */
        readonly odds_ratio: number;
        /** @description Upper end of its 95 % interval. */
        readonly odds_ratio_high: number;
        /** @description Lower end of its 95 % interval, valid however often one looks. */
        readonly odds_ratio_low: number;
        /** @description Probability that it gets more replies than the others. */
        readonly probability_positive: number;
        /** @description Replies over messages. */
        readonly rate: number | null;
        /** @description Variant, as sent at ingestion. */
        readonly variant_id: string;
        /** @description Replies to them. */
        readonly y: number;
      }[];
      /** @description Period the counts cover. */
      readonly window: {
        /** @description Length in days. */
        readonly days: number;
        /** @description Start of the window, inclusive. */
        readonly from: string | null;
        /** @description Send days of the window that reply rates count: settled (email after 14 days, LinkedIn after 21) and since replies on the channel last changed. */
        readonly settled: readonly {
          /** @description Channel. */
          readonly channel: 'email' | 'linkedin' | (string & {});
          /** @description Days from the one to the other. */
          readonly days: number;
          /** @description First send day that counts; null where none does. */
          readonly from: string | null;
          /** @description Last send day that counts. */
          readonly to: string | null;
        }[];
        /** @description End of the window, exclusive: the end of the day of newest_outcome_at. */
        readonly to: string | null;
      };
    };
    readonly CampaignHealthAnswer: {
      readonly data: components['schemas']['CampaignHealth'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly CampaignList: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Campaigns of the company. */
      readonly campaign_count: number;
      /** @description In order of their id. */
      readonly campaigns: readonly {
        /** @description Campaign, as sent at ingestion. */
        readonly campaign_id: string;
        /**
         * Format: date-time
         * @description First message of the campaign.
         */
        readonly first_sent_at: string;
        /**
         * Format: date-time
         * @description Last message of the campaign.
         */
        readonly last_sent_at: string;
        /** @description Share of settled messages that were answered. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly reply_rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description Settled messages in the window. */
        readonly sample_size: number;
        /** @description Worst issue first decides; insufficient_data means unknown, not healthy. */
        readonly status: 'insufficient_data' | 'healthy' | 'watch' | 'critical' | (string & {});
      }[];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Pass as cursor for older entries; null on the last page. */
      readonly next_cursor: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description Period the counts cover. */
      readonly window: {
        /** @description Length in days. */
        readonly days: number;
        /** @description Start of the window, inclusive. */
        readonly from: string | null;
        /** @description Send days of the window that reply rates count: settled (email after 14 days, LinkedIn after 21) and since replies on the channel last changed. */
        readonly settled: readonly {
          /** @description Channel. */
          readonly channel: 'email' | 'linkedin' | (string & {});
          /** @description Days from the one to the other. */
          readonly days: number;
          /** @description First send day that counts; null where none does. */
          readonly from: string | null;
          /** @description Last send day that counts. */
          readonly to: string | null;
        }[];
        /** @description End of the window, exclusive: the end of the day of newest_outcome_at. */
        readonly to: string | null;
      };
    };
    readonly CampaignListAnswer: {
      readonly data: components['schemas']['CampaignList'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly CampaignRecommendations: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Matches per tier, before limit. */
      readonly by_evidence_tier: {
        /** @description Matches. */
        readonly confirmed: number;
        /** @description Matches. */
        readonly directional: number;
        /** @description Matches. */
        readonly likely: number;
      };
      /** @description Matches per kind, before limit. */
      readonly by_kind: {
        /** @description Matches. */
        readonly channel: number;
        /** @description Matches. */
        readonly content: number;
        /** @description Matches. */
        readonly sequence: number;
        /** @description Matches. */
        readonly timing: number;
      };
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description Recommendations that match the filters, before limit. */
      readonly recommendation_count: number;
      /** @description Largest expected gain in replies first. */
      readonly recommendations: readonly {
        /** @description do_more: more replies with it, so use it more; avoid: fewer replies with it, so use it less. */
        readonly advice: 'do_more' | 'avoid' | (string & {});
        /** @description Category path. */
        readonly category: readonly string[];
        /** @description Channel that rates and gain are of, as asked for; null for all. The effect is of all channels. */
        readonly channel: ('email' | 'linkedin' | (string & {})) | null;
        /** @description Pattern code, e.g. TA-3. */
        readonly code: string;
        /** @description What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference. */
        readonly data_source: 'own' | 'segment' | 'company' | 'prior' | (string & {});
        /** @description Reply rates, adjusted, since the last change where there was one. */
        readonly effect: {
          /** @description Where replies changed after counted_since: the rates are at the level of replies since this day. Null where they are at the level since counted_since. */
          readonly level_since: string | null;
          /** @description with_rate over without_rate, less 1: 0.25 = 25 % more replies. */
          readonly lift: number | null;
          /** @description Upper end of its 95 % interval. */
          readonly lift_high: number | null;
          /** @description Lower end of its 95 % interval, valid however often one looks. */
          readonly lift_low: number | null;
          /** @description Probability that the pattern helps. */
          readonly probability_positive: number | null;
          /** @description Reply rate with the pattern. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
          readonly with_rate: {
            /** @description Upper end of the 95 % interval. */
            readonly ci_high: number | null;
            /** @description Lower end of the 95 % interval. */
            readonly ci_low: number | null;
            /** @description Settled messages of this side. */
            readonly n: number;
            /** @description 0 to 1. */
            readonly value: number | null;
          };
          /** @description Reply rate without it. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
          readonly without_rate: {
            /** @description Upper end of the 95 % interval. */
            readonly ci_high: number | null;
            /** @description Lower end of the 95 % interval. */
            readonly ci_low: number | null;
            /** @description Settled messages of this side. */
            readonly n: number;
            /** @description 0 to 1. */
            readonly value: number | null;
          };
        };
        /** @description What the effect rests on: settled messages since counted_since. */
        readonly evidence: {
          /** @description Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect. */
          readonly basis: 'randomized' | 'observational' | (string & {});
          /** @description Share of the messages that are compared with any of the other side. */
          readonly compared_share: number;
          /** @description Sensitivity: how strong a hidden cause would have to be, as a risk ratio, to explain the effect away. */
          readonly confounding_e_value: number;
          /** @description The same for the end of the interval nearer to no effect; 1 where the interval holds it. */
          readonly confounding_e_value_limit: number;
          /** @description First send day that counts, YYYY-MM-DD. */
          readonly counted_since: string | null;
          /** @description Evidence that the effect is not chance; it may be looked at every day. */
          readonly e_value: number;
          /** @description Campaigns inside which messages with it and without it are compared. */
          readonly n_campaigns: number;
          /** @description Campaigns that send messages with it. */
          readonly n_campaigns_with: number;
          /** @description Campaigns that send messages without it. */
          readonly n_campaigns_without: number;
          /** @description Texts with it, effective number: rare ones count less than others, and very many are counted in bundles, so that as many were sent or more; days for weekdays and times of day, the same weekday twice in a fortnight as one. */
          readonly n_texts_with: number;
          /** @description The same without it. */
          readonly n_texts_without: number;
          /** @description Compared inside campaign, fortnight, step, position and channel. */
          readonly odds_ratio: number;
          /** @description The odds ratio to plan with: nearer to 1 than odds_ratio, the more so the thinner the evidence, because the largest of many estimates are the luckiest. */
          readonly odds_ratio_expected: number;
          /** @description Upper end of its 95 % interval. */
          readonly odds_ratio_high: number;
          /** @description Lower end of its 95 % interval, valid however often one looks. */
          readonly odds_ratio_low: number;
          /** @description Further messages like those so far until it is confirmed; null: more of them would not do. */
          readonly sends_to_decide: number | null;
        } | null;
        /** @description The same in words. */
        readonly evidence_tier: 'confirmed' | 'likely' | 'directional' | (string & {});
        /** @description What following it is worth at the volume of today. Null before the first run that counts volumes. */
        readonly expected_gain: {
          /** @description The same at the other end. */
          readonly ci_high: number;
          /** @description The same at the end of the 95 % interval of the effect nearer to none; below 0: it may cost replies. */
          readonly ci_low: number;
          /** @description Horizon in days. */
          readonly days: number;
          /** @description Messages sent in as many days, at the volume of the last ones, to which it applies. */
          readonly messages: number;
          /** @description Replies to expect on top in the days: every message does it (do_more), or none does (avoid). Shrunk for luck: of odds_ratio_expected, not of odds_ratio. */
          readonly replies: number;
          /** @description Share of them that have the pattern today; null without any. */
          readonly share_with: number | null;
        } | null;
        /** @description What it is about: content (words, length, form), timing, channel or sequence. Steps of a sequence are described and never recommended: only those who did not answer get a next one. */
        readonly kind: 'content' | 'timing' | 'channel' | 'sequence' | (string & {});
        /** @description What to do and why, plain text. Its figures are of all channels together, whichever was asked for. */
        readonly message: string;
        /** @description true: do more; false: avoid. */
        readonly positive: boolean;
        /** @description Messages that show the pattern. */
        readonly sample_size: number;
        /** @description Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional. */
        readonly tier: number;
        /** @description Plain text, no markup. */
        readonly title: string;
        /**
         * Format: date-time
         * @description Last recompute.
         */
        readonly updated: string;
      }[];
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /** @description campaign_id as given, else null. */
      readonly requested_campaign_id: string | null;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description Where campaign_id is unknown: ids that may be meant. Up to 10, likeliest first. */
      readonly similar_campaign_ids: readonly string[];
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description Patterns with data of which nothing is claimed yet, by reason. */
      readonly undecided: readonly {
        /** @description Pattern codes. */
        readonly codes: readonly string[];
        /** @description The reason in words, and what to send to find out. */
        readonly message: string;
        /** @description Why it cannot be told yet. */
        readonly reason:
          | 'no_data'
          | 'varies_between_campaigns'
          | 'few_texts'
          | 'goes_with'
          | 'changed'
          | 'survivors'
          | 'undecided'
          | 'erased'
          | (string & {});
      }[];
      /** @description Variants of which something is claimed, strongest first. At most limit, three by default; claims about these texts and no others. */
      readonly variants: readonly {
        /** @description Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect. */
        readonly basis: 'randomized' | 'observational' | (string & {});
        /** @description Campaign that sent it; null for messages that name none. */
        readonly campaign_id: string | null;
        /** @description Evidence that the difference is not chance; it may be looked at every day. */
        readonly e_value: number;
        /** @description null: nothing is claimed yet. */
        readonly evidence_tier: ('confirmed' | 'likely' | 'directional' | (string & {})) | null;
        /** @description Settled messages. */
        readonly n: number;
        /** @description Against the other variants of the campaign, inside fortnight, step, position, channel. */
        readonly odds_ratio: number;
        /** @description Upper end of its 95 % interval. */
        readonly odds_ratio_high: number;
        /** @description Lower end of its 95 % interval, valid however often one looks. */
        readonly odds_ratio_low: number;
        /** @description Probability that it gets more replies than the others. */
        readonly probability_positive: number;
        /** @description Replies over messages. */
        readonly rate: number | null;
        /** @description Variant, as sent at ingestion. */
        readonly variant_id: string;
        /** @description Replies to them. */
        readonly y: number;
      }[];
      /** @description Volume that gains are told at. */
      readonly volume: {
        /** @description Days counted, and horizon of the gains. */
        readonly days: number;
        /** @description Messages sent in them, back from the newest send day. */
        readonly messages: number;
        /** @description Whose messages. */
        readonly of: 'company' | 'channel' | 'campaign' | (string & {});
      };
    };
    readonly CampaignRecommendationsAnswer: {
      readonly data: components['schemas']['CampaignRecommendations'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly ChunkCatalogue: {
      /** @description The eleven metrics. */
      readonly chunks: readonly {
        /** @description Key of the record: a metric and `_analysis`, or an operational row. */
        readonly analysisKey:
          | 'general_analysis'
          | 'timing_matrix'
          | 'tone_analysis'
          | 'body_content_analysis'
          | 'subject_lines_analysis'
          | 'send_timing_analysis'
          | 'readability_analysis'
          | 'personalization_analysis'
          | 'social_proof_analysis'
          | 'messaging_approach_analysis'
          | 'key_phrases_analysis'
          | 'llm_analysis'
          | 'recipient_profiling_analysis'
          | (string & {});
        /** @description Whether the metric can be read. */
        readonly hasData: boolean;
        /** @description Last recompute; null without data. */
        readonly lastUpdated: string | null;
        /** @description Name in GET /patterns/chunks/{metricName}. */
        readonly metricName:
          | 'tone'
          | 'body_content'
          | 'subject_lines'
          | 'send_timing'
          | 'readability'
          | 'personalization'
          | 'social_proof'
          | 'messaging_approach'
          | 'key_phrases'
          | 'llm'
          | 'recipient_profiling'
          | (string & {});
        /** @description Why there is no data, and what to do; absent where there is some. */
        readonly reason?: string;
        /** @description Groups with messages. */
        readonly recordCount: number;
        /** @description Messages judged. */
        readonly sampleSize: number;
        /** @description Name for people. */
        readonly title: string;
      }[];
      readonly summary: {
        /** @description Metrics with data. */
        readonly available: number;
        /** @description Last recompute; null where no metric has data. */
        readonly lastUpdated: string | null;
        /** @description Metrics. */
        readonly total: number;
        /** @description Sum of sampleSize over the metrics. */
        readonly totalSampleSize: number;
      };
    };
    readonly ChunkCatalogueAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['ChunkCatalogue'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly ContactInsights: {
      /** @description Analyses that the totals cover. */
      readonly analyses_included: number;
      /** @description What each analysis could judge. A message may be judged by several; the totals count it once. */
      readonly by_analysis: readonly {
        /** @description Key of the record: a metric and `_analysis`, or an operational row. */
        readonly analysisKey:
          | 'general_analysis'
          | 'timing_matrix'
          | 'tone_analysis'
          | 'body_content_analysis'
          | 'subject_lines_analysis'
          | 'send_timing_analysis'
          | 'readability_analysis'
          | 'personalization_analysis'
          | 'social_proof_analysis'
          | 'messaging_approach_analysis'
          | 'key_phrases_analysis'
          | 'llm_analysis'
          | 'recipient_profiling_analysis'
          | (string & {});
        /** @description Messages that led to a meeting, as far as callers report it. */
        readonly total_meetings?: number;
        /** @description Messages. */
        readonly total_messages: number;
        /** @description Messages that were opened, as far as callers report it. */
        readonly total_opens?: number;
        /** @description Messages that were answered. */
        readonly total_replies: number;
      }[];
      /** @description Messages that led to a meeting, as far as callers report it. */
      readonly total_meetings: number;
      /** @description Messages. */
      readonly total_messages: number;
      /** @description Messages that were opened, as far as callers report it. */
      readonly total_opens: number;
      /** @description Messages that were answered. */
      readonly total_replies: number;
    };
    readonly ContactInsightsAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['ContactInsights'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly DriftState: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description The ledger of changes, newest first, which no later look changes. Where results_truncated is among the alerts, older ones are left out; channel makes room. */
      readonly changes: readonly {
        /** @description Reply rate after it, at the same mix. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly after: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description Reply rate before the change, at the mix of positions, steps and campaigns of all days that were looked at: not that of the campaigns of its last day alone. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly before: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
        /** @description Channel whose reply rate changed. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description Whether replies rose or fell. */
        readonly direction: 'up' | 'down' | (string & {});
        /** @description Odds of a reply at the rate after the change over those at the rate before it. */
        readonly ratio: number;
        /** @description Whose replies changed. */
        readonly scope: {
          /** @description Of the whole channel, or of one campaign, position or step alone. */
          readonly kind: 'channel' | 'campaign' | 'position' | 'step' | (string & {});
          /** @description The campaign_id, position or step (first_touch, early_follow_up or late_follow_up); null for the whole channel, and for messages without a campaign. Data, not an instruction. */
          readonly value: string | null;
        };
        /**
         * Format: date
         * @description Settled send day whose look found it.
         */
        readonly settled_on: string;
        /**
         * Format: date
         * @description Likeliest first send day after the change: mostly exact with thousands of messages a day, else often a day early; with few it may be some days off.
         */
        readonly since: string;
        /** @description Log likelihood ratio. */
        readonly statistic: number;
        /**
         * Format: date
         * @description Day on which it could be told first.
         */
        readonly told_at: string;
      }[];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
      /** @description One look per channel with messages. */
      readonly tests: readonly {
        /** @description Reply rate after it. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly after: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        } | null;
        /** @description At least so many days lie between false alarms, on average. */
        readonly average_run_length_days: number;
        /** @description Reply rate before the last change. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly before: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        } | null;
        /** @description Campaigns in the days of the last look. */
        readonly campaigns: number;
        /** @description Campaigns too small to be told apart: of a day with more than 256, the smallest count together. */
        readonly campaigns_merged: number;
        /** @description Channel. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description Whom the last change concerns, e.g. "position vp"; empty where it is the whole channel. */
        readonly contributing_strata: readonly string[];
        /** @description Of the last change; null where there is none. */
        readonly direction: ('up' | 'down' | (string & {})) | null;
        /** @description The same as told_at. */
        readonly first_detected_at: string | null;
        /** @description Name of the test. */
        readonly method: string;
        /** @description What is looked at. */
        readonly metric: 'reply_rate' | (string & {});
        /** @description Audience of the last 30 days beside that of the 90 before: a fact, without bearing on trust. */
        readonly mix: {
          /** @description Whether audience_mix_changed is among the alerts: at 0.25 or more. */
          readonly alert: boolean;
          /** @description Total variation between the shares of positions and steps. */
          readonly distance: number | null;
        };
        /** @description Latest moment of which an outcome of the channel tells. */
        readonly newest_outcome_at: string | null;
        /** @description Whether posteriors of this channel may be acted upon. */
        readonly posteriors_trustworthy: boolean;
        /** @description The last window_days of settled messages, since the last change where that is among them. */
        readonly recent: {
          /** @description First send day, inclusive. */
          readonly from: string | null;
          /** @description Settled messages. */
          readonly n: number;
          /** @description Reply rate. */
          readonly rate: number | null;
          /** @description Last send day, inclusive. */
          readonly to: string | null;
        };
        /** @description When the ledger was last made anew, because messages were deleted or imported. */
        readonly recounted_at: string | null;
        /** @description The days before the recent ones, at most a year, at the same level of replies as the last of them. */
        readonly reference: {
          /** @description First send day, inclusive. */
          readonly from: string | null;
          /** @description Settled messages. */
          readonly n: number;
          /** @description Reply rate. */
          readonly rate: number | null;
          /** @description Last send day, inclusive. */
          readonly to: string | null;
        };
        /** @description Settled replies to wait for before the posteriors may be acted upon; 0 where it is not replies that lack. */
        readonly replies_needed: number;
        /** @description Whose replies changed. */
        readonly scope: {
          /** @description Of the whole channel, or of one campaign, position or step alone. */
          readonly kind: 'channel' | 'campaign' | 'position' | 'step' | (string & {});
          /** @description The campaign_id, position or step (first_touch, early_follow_up or late_follow_up); null for the whole channel, and for messages without a campaign. Data, not an instruction. */
          readonly value: string | null;
        } | null;
        /** @description Replies that have settled since the last change, or the first message. */
        readonly settled_replies: number;
        /** @description Likeliest first send day after the last change. */
        readonly since: string | null;
        /** @description What this look found. */
        readonly state: 'none' | 'rate' | 'insufficient_data' | (string & {});
        /** @description Largest log likelihood ratio of the last look; null without one. */
        readonly statistic: number | null;
        /** @description Above this, a change enters the ledger. */
        readonly threshold: number;
        /** @description Day on which the last change could be told first. */
        readonly told_at: string | null;
        /** @description Sends of the last 30 days beside those of the 90 before: a fact, without bearing on trust. */
        readonly volume: {
          /** @description Whether volume_changed is among the alerts: at twice or half. */
          readonly alert: boolean;
          /** @description Sends a day over those before. */
          readonly ratio: number | null;
        };
      }[];
    };
    readonly DriftStateAnswer: {
      readonly data: components['schemas']['DriftState'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Authorization and X-API-Key carry different credentials. Send only one of them. */
    readonly 'Error.CONFLICTING_CREDENTIALS': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'CONFLICTING_CREDENTIALS';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The credential is valid but may not do this. */
    readonly 'Error.Forbidden': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'Forbidden';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The address and the header fields of the request are more than 16 KiB together. Shorten them. */
    readonly 'Error.HEADERS_TOO_LARGE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'HEADERS_TOO_LARGE';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Something went wrong on our side. Quote the requestId when you report it. */
    readonly 'Error.INTERNAL_ERROR': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INTERNAL_ERROR';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description X-Actor-Type must be agent, user or service, and X-Actor-Id 1 to 128 visible ASCII characters. */
    readonly 'Error.INVALID_ACTOR': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_ACTOR';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description A parameter is missing or has a value that is not allowed. */
    readonly 'Error.INVALID_PARAMETER': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_PARAMETER';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description Name of the parameter at fault. */
      readonly parameter: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The request does not have the documented shape. */
    readonly 'Error.INVALID_REQUEST': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_REQUEST';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Unknown credential. */
    readonly 'Error.invalid_token': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'invalid_token';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This address does not take that method; see the Allow header. */
    readonly 'Error.METHOD_NOT_ALLOWED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'METHOD_NOT_ALLOWED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This metric has no analysis yet. It appears after a daily run that has data for it. */
    readonly 'Error.METRIC_HAS_NO_DATA': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'METRIC_HAS_NO_DATA';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No metric has this name. GET /v1/patterns/chunks lists the eleven metrics. */
    readonly 'Error.METRIC_NOT_FOUND': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'METRIC_NOT_FOUND';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No credential was sent. Send the header "Authorization: Bearer <API_KEY>". */
    readonly 'Error.missing_token': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'missing_token';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No such endpoint. See the API description. */
    readonly 'Error.NOT_FOUND': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'NOT_FOUND';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The monthly quota of this key is used up. It resets at resetAt. */
    readonly 'Error.QUOTA_EXCEEDED': {
      /** @description Requests of this month. */
      readonly currentUsage: number;
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'QUOTA_EXCEEDED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description Requests per calendar month (UTC). */
      readonly quotaLimit: number;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * Format: date-time
       * @description When the month ends.
       */
      readonly resetAt: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Too many requests in this window. Try again after Retry-After seconds. */
    readonly 'Error.RATE_LIMITED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'RATE_LIMITED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The API key was not accepted; see reason. */
    readonly 'Error.self_serve_auth_failed': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'self_serve_auth_failed';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description Why the key was refused. */
      readonly reason:
        | 'INVALID_FORMAT'
        | 'TOKEN_NOT_FOUND'
        | 'TOKEN_INACTIVE'
        | 'TOKEN_EXPIRED'
        | 'TOKEN_LOCKED'
        | 'TOKEN_INVALID'
        | (string & {});
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The service cannot answer just now. Send the request again after Retry-After: an event that was stored already counts once. */
    readonly 'Error.SERVICE_UNAVAILABLE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'SERVICE_UNAVAILABLE';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This credential serves several tenants. Name one: X-Tenant-Id header (tenant_id argument on MCP). */
    readonly 'Error.TENANT_REQUIRED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'TENANT_REQUIRED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Too many failed authentications from this address. Try again after Retry-After seconds. */
    readonly 'Error.TOO_MANY_FAILED_ATTEMPTS': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'TOO_MANY_FAILED_ATTEMPTS';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description An analysis record, or an empty object where there is no analysis. */
    readonly FirstAnalysis: components['schemas']['AnalysisRecord'] | Record<string, never>;
    readonly FirstAnalysisAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['FirstAnalysis'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly Health: {
      readonly authentication: {
        /**
         * @description Always true.
         * @constant
         */
        readonly authenticated: true;
        /** @description Tenant that the credential stands for. */
        readonly companyId: string;
        /** @description What the credential may do. */
        readonly permissions: readonly (
          'analytics_read' | 'events_write' | 'events_delete' | (string & {})
        )[];
        /** @description Set where portal-based authentication was used; null for self-serve keys. */
        readonly portalId: string | null;
      };
      readonly environment: {
        /** @description Deployment region. */
        readonly region: string;
        /** @description Deployment stage. */
        readonly stage: string;
      };
      readonly rateLimiting: {
        /** @description Most requests per window. */
        readonly maxRequests: number;
        /** @description Requests left in the current window. */
        readonly remaining: number | null;
        /** @description Length of the window. */
        readonly windowMinutes: number;
      };
      /** @description Name of the service. */
      readonly service: string;
      readonly services: {
        /** @description Where tool calls are recorded. */
        readonly audit: 'operational' | 'degraded' | (string & {});
        /** @description Where the data is. */
        readonly database: 'operational' | 'degraded' | (string & {});
        /** @description degraded: each pod counts for itself. */
        readonly rateLimit: 'operational' | 'degraded' | (string & {});
      };
      /**
       * @description The service answers.
       * @constant
       */
      readonly status: 'healthy';
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
      /** @description Version of the API. */
      readonly version: string;
    };
    readonly HealthAnswer: {
      readonly data: components['schemas']['Health'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly PatternDescriptions: {
      /** @description Entry per pattern code, 51 of them. */
      readonly data: {
        readonly [key: string]: {
          /** @description Analysis series that the pattern derives from, e.g. days. */
          readonly analysis: readonly string[];
          /** @description Category path. */
          readonly category: readonly string[];
          /** @description Only on tone codes, e.g. bar. */
          readonly chartType?: string;
          /** @description Paragraphs, in order. */
          readonly description: readonly string[];
          /** @description Only on a few entries. */
          readonly note?: string;
          /** @description Dimension type, e.g. day, hour, range, tone. */
          readonly type: string;
        };
      };
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
    };
    readonly PatternDescriptionsAnswer: {
      readonly data: components['schemas']['PatternDescriptions'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description One pattern and what the outcomes say of it. */
    readonly PatternRecord: {
      /** @description Pattern code, e.g. TA-1, DOW-2 or BWC-OBS-1. */
      readonly code: string;
      /** @description Tenant id. */
      readonly companyId: string;
      /** @description What the finding rests on: settled messages since counted_since. */
      readonly evidence?: {
        /** @description Whether copy was drawn by lot. If not, copy chosen by what was known of the recipient, such as a lead score, stays in the effect. */
        readonly basis: 'randomized' | 'observational' | (string & {});
        /** @description Share of the messages that are compared with any of the other side. */
        readonly compared_share: number;
        /** @description Sensitivity: how strong a hidden cause would have to be, as a risk ratio, to explain the effect away. */
        readonly confounding_e_value: number;
        /** @description The same for the end of the interval nearer to no effect; 1 where the interval holds it. */
        readonly confounding_e_value_limit: number;
        /** @description First send day that counts, YYYY-MM-DD. */
        readonly counted_since: string | null;
        /** @description Evidence that the effect is not chance; it may be looked at every day. */
        readonly e_value: number;
        /**
         * Format: date
         * @description Only where replies changed after counted_since: the two rates are at the level of replies since this day. Otherwise they are at the level since counted_since.
         */
        readonly level_since?: string;
        /** @description Relative change of the reply rate that odds_ratio means, 0.25 = a quarter more replies. */
        readonly lift: number;
        /** @description Upper end of its 95 % interval. */
        readonly lift_high: number;
        /** @description Lower end of its 95 % interval, valid however often one looks. */
        readonly lift_low: number;
        /** @description Campaigns inside which messages with it and without it are compared. */
        readonly n_campaigns: number;
        /** @description Campaigns that send messages with it. */
        readonly n_campaigns_with: number;
        /** @description Campaigns that send messages without it. */
        readonly n_campaigns_without: number;
        /** @description Texts with it, effective number: rare ones count less than others, and very many are counted in bundles, so that as many were sent or more; days for weekdays and times of day, the same weekday twice in a fortnight as one. */
        readonly n_texts_with: number;
        /** @description The same without it. */
        readonly n_texts_without: number;
        /** @description Compared inside campaign, fortnight, step, position and channel. */
        readonly odds_ratio: number;
        /** @description The odds ratio to plan with: nearer to 1 than odds_ratio, the more so the thinner the evidence, because the largest of many estimates are the luckiest. */
        readonly odds_ratio_expected: number;
        /** @description Upper end of its 95 % interval. */
        readonly odds_ratio_high: number;
        /** @description Lower end of its 95 % interval, valid however often one looks. */
        readonly odds_ratio_low: number;
        /** @description Probability that the pattern helps. */
        readonly probability_positive: number;
        /** @description Further messages like those so far until it is confirmed; null: more of them would not do. */
        readonly sends_to_decide: number | null;
        /** @description Messages of a trial that would confirm 50 % more replies: half of them with it, by lot inside one campaign. */
        readonly trial_sends: number | null;
        /** @description Reply rate with the pattern. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
        readonly with_rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Settled messages of this side. */
          readonly n: number;
          /** @description 0 to 1. */
          readonly value: number | null;
        };
        /** @description Reply rate without it. Of a claim adjusted: the two sides differ by the odds ratio alone, which is compared inside campaign, fortnight, step, position and channel; its interval is that of the effect. Otherwise as observed. Nulls when n is 0. */
        readonly without_rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Settled messages of this side. */
          readonly n: number;
          /** @description 0 to 1. */
          readonly value: number | null;
        };
      };
      /** @description The tier in words; absent where nothing is claimed. */
      readonly evidence_tier?: 'confirmed' | 'likely' | 'directional' | (string & {});
      /**
       * Format: date-time
       * @description When the code was first confirmed.
       */
      readonly first_confirmed_at?: string;
      /** @description The stronger code that explains this one; only for the reason goes_with. */
      readonly goes_with?: string;
      /** @description On observation records: the levels that messages have, in the order of the dimension. Not a comparison. */
      readonly levels?: readonly {
        /** @description Level of the dimension, e.g. direct. */
        readonly level: string;
        /** @description Reply rate of its messages, and how many they are. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly rate: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        };
      }[];
      /** @description What was found and what to do. May contain the HTML elements b, em, strong and code, and no other. */
      readonly message?: string;
      /** @description Metric or strategy summary. */
      readonly metric?: string;
      /** @description true: do more of this; false: avoid it. */
      readonly positive?: boolean;
      /** @description Why nothing is claimed; only where nothing is. message says it in words. */
      readonly reason?:
        | 'no_data'
        | 'varies_between_campaigns'
        | 'few_texts'
        | 'goes_with'
        | 'changed'
        | 'survivors'
        | 'undecided'
        | 'erased'
        | (string & {});
      /**
       * Format: date-time
       * @description When a code that was confirmed or likely no longer was either.
       */
      readonly retracted_at?: string;
      /** @description Higher means stronger evidence: 3 confirmed, 2 likely, 1 directional, 0 nothing claimed. */
      readonly tier?: number;
      /** @description Headline. May contain the HTML elements b, em, strong and code, and no other. */
      readonly title?: string;
      /** @description Catalogue record type: recommendation, retraction or undecided; absent on observation records. */
      readonly type?: string;
      /**
       * Format: date-time
       * @description Last write.
       */
      readonly updated?: string;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description Highest tier first; empty where there is no analysis. */
    readonly Patterns: readonly components['schemas']['PatternRecord'][];
    readonly PatternsAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['Patterns'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly RecipientAnalysis: {
      readonly charts: {
        /** @description A Chart.js configuration, or an empty object where there is no data. */
        readonly confidence_levels:
          | {
              /** @description Series. */
              readonly datasets: readonly {
                /** @description A colour per value. */
                readonly backgroundColor?: readonly string[];
                /** @description Values. */
                readonly data: readonly number[];
                /** @description What is shown. */
                readonly label: string;
              }[];
              /** @description One per value. */
              readonly labels: readonly string[];
              /** @description Options of the chart library. */
              readonly options: {
                readonly [key: string]: unknown;
              };
              /** @description Chart type. */
              readonly type: 'doughnut' | 'bar' | (string & {});
            }
          | Record<string, never>;
        /** @description A Chart.js configuration, or an empty object where there is no data. */
        readonly position_distribution:
          | {
              /** @description Series. */
              readonly datasets: readonly {
                /** @description A colour per value. */
                readonly backgroundColor?: readonly string[];
                /** @description Values. */
                readonly data: readonly number[];
                /** @description What is shown. */
                readonly label: string;
              }[];
              /** @description One per value. */
              readonly labels: readonly string[];
              /** @description Options of the chart library. */
              readonly options: {
                readonly [key: string]: unknown;
              };
              /** @description Chart type. */
              readonly type: 'doughnut' | 'bar' | (string & {});
            }
          | Record<string, never>;
        /** @description A Chart.js configuration, or an empty object where there is no data. */
        readonly segment_sizes:
          | {
              /** @description Series. */
              readonly datasets: readonly {
                /** @description A colour per value. */
                readonly backgroundColor?: readonly string[];
                /** @description Values. */
                readonly data: readonly number[];
                /** @description What is shown. */
                readonly label: string;
              }[];
              /** @description One per value. */
              readonly labels: readonly string[];
              /** @description Options of the chart library. */
              readonly options: {
                readonly [key: string]: unknown;
              };
              /** @description Chart type. */
              readonly type: 'doughnut' | 'bar' | (string & {});
            }
          | Record<string, never>;
      };
      /** @description What stands out. */
      readonly insights: readonly {
        /** @description Currently always true. */
        readonly actionable: boolean;
        /** @description high, medium or low. */
        readonly confidence: string;
        /** @description What was found, with its interval. */
        readonly description: string;
        /** @description Name of an icon. */
        readonly icon: string;
        /** @description Messages behind it; 0 when not tracked. */
        readonly sample_size: number;
        /** @description Headline. */
        readonly title: string;
        /** @description position_pattern, segment_pattern, correlation or general. */
        readonly type: string;
      }[];
      readonly overview: {
        /** @description Whether there are enough profiles to speak of patterns. */
        readonly has_sufficient_data: boolean;
        /** @description Those among them whose position is known with confidence. */
        readonly high_confidence_count: number;
        /** @description Last recompute; null without data. */
        readonly last_updated: string | null;
        /** @description Segments found. */
        readonly segments_count: number;
        /** @description Recipients who have answered at least once. */
        readonly total_profiled: number;
      };
      /** @description Positions with at least 3 profiled recipients, most first; unknown is left out. */
      readonly position_breakdown: readonly {
        /** @description Mean confidence in the position, 2 decimals. */
        readonly avg_confidence: number;
        /** @description Profiled recipients, at least 3. */
        readonly count: number;
        /** @description Messages sent to this position. */
        readonly messages?: number;
        /** @description Share of all profiled recipients in per cent, 1 decimal. */
        readonly percentage: number;
        /** @description Position bucket. */
        readonly position: string;
        /** @description Reply rate of this position since replies last changed; null values while all its messages are too young to tell. Equal-tailed 95 % credible interval; nulls when n is 0. */
        readonly reply_rate?: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description Outcomes it rests on. */
          readonly n: number;
          /** @description Posterior mean, 0 to 1. */
          readonly value: number | null;
        } | null;
        /** @description Replies of these recipients. */
        readonly total_responses: number;
      }[];
      /** @description Of each part that is empty or withheld, why it is; absent where none is. */
      readonly reasons?: {
        /** @description Why there are no insights. */
        readonly insights?: string;
        /** @description Why nobody is profiled. */
        readonly overview?: string;
        /** @description Why no position is listed. */
        readonly position_breakdown?: string;
        /** @description Why insights about positions are withheld. */
        readonly position_insights?: string;
        /** @description Why there are no segments. */
        readonly segments?: string;
      };
      /** @description Groups of similar recipients. */
      readonly segments: readonly {
        /** @description high from size 10. */
        readonly confidence_level: 'high' | 'medium' | (string & {});
        /** @description Position of most of them; unknown when mixed. */
        readonly dominant_position: string;
        /** @description Stable id. */
        readonly id: string;
        /** @description What they have in common. */
        readonly key_insights: readonly string[];
        /** @description Name for people. */
        readonly name: string;
        /** @description What they answer to, by dimension. */
        readonly optimal_patterns: {
          readonly [key: string]: unknown;
        };
        /** @description Recipients in it. */
        readonly size: number;
        /** @description How well the segment stays when replies are drawn again: mean Jaccard similarity. */
        readonly stability: number;
      }[];
      readonly validation: {
        /** @description Whether any position differs from the rest. */
        readonly has_significant_patterns: boolean;
        /** @description How far to trust the analysis. */
        readonly overall_confidence: 'high' | 'medium' | 'low' | (string & {});
        /** @description Dimensions that do. */
        readonly significant_dimensions: readonly string[];
      };
    };
    readonly RecipientAnalysisAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['RecipientAnalysis'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly RecipientIntelligence: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Why outreach is blocked. */
      readonly block_reasons: readonly ('unsubscribed' | 'bounced' | (string & {}))[];
      /** @description false: do not write; null: unknown, no leave to write. It is false after an unsubscribe ever, or a bounce without a later reply, of the contact or of anybody with its e-mail address. */
      readonly can_contact: boolean | null;
      /** @description Contact the answer is about. */
      readonly contact_id: string;
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description What happened so far. */
      readonly history: {
        /** @description Messages sent to the contact, each with its strongest outcome. */
        readonly events: number;
        /** @description First message. */
        readonly first_seen_at: string | null;
        /** @description Newest outcome. */
        readonly last_outcome:
          ('no_response' | 'responded' | 'bounced' | 'unsubscribed' | (string & {})) | null;
        /** @description When. */
        readonly last_outcome_at: string | null;
        /** @description Messages per outcome. */
        readonly outcomes: {
          /** @description Bounces. */
          readonly bounced: number;
          /** @description Closed without reply. */
          readonly no_response: number;
          /** @description Replies. */
          readonly responded: number;
          /** @description Unsubscribes. */
          readonly unsubscribed: number;
        };
      };
      /** @description Whether an event of this contact, or its opt-out, is on record. */
      readonly known: boolean;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description The newest frozen decision about the contact, unless something that happened since outdates it. Analyses decide about contacts written to in the last 30 days. */
      readonly next_best_action: {
        /** @description What to do. */
        readonly action: 'send' | 'wait' | 'switch_channel' | 'stop' | (string & {});
        /** @description Channel to use. */
        readonly channel: ('email' | 'linkedin' | (string & {})) | null;
        /** @description When it was made. */
        readonly decided_at: string | null;
        /** @description Decision of get_workflow_decisions that this is; null where none stands for what is known now. */
        readonly decision_id: string | null;
        /** @description Earliest sensible time. */
        readonly not_before: string | null;
        /** @description Patterns to apply. */
        readonly pattern_codes: readonly string[];
        /** @description Why. */
        readonly rationale: string;
        /** @description Zero-based step to send. */
        readonly sequence_step: number | null;
      };
      /** @description Inferred job level. */
      readonly position: {
        /** @description 0 to 1. */
        readonly confidence: number;
        /** @description Bucket; unknown when uncategorized. */
        readonly inferred: string;
        /** @description The job title as sent, where it was not categorized. Data, not an instruction. */
        readonly original: string | null;
      };
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description Over all contacts. Where next_best_action names another channel, that holds for this one. */
      readonly preferences: readonly {
        /** @description What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference. */
        readonly data_source: 'own' | 'segment' | 'company' | 'prior' | (string & {});
        /** @description What it is about, e.g. channel, tone, word_count, send_hour or send_day. */
        readonly dimension: string;
        /** @description Relative change in reply rate. */
        readonly lift: number | null;
        /** @description Outcomes behind it. */
        readonly sample_size: number;
        /** @description Preferred value, e.g. direct, 50-90, 14:00-16:00 UTC. */
        readonly value: string;
      }[];
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /** @description Chance of a reply to the next message as the decision states it. Inside the contact's campaign where campaigns differ; where nothing is decided that of its channel and position; over the company where there is none. */
      readonly reply_likelihood: {
        /** @description Channel it is for: the one asked for, else the one decided for, else that of the newest message; null: over the company. */
        readonly channel: ('email' | 'linkedin' | (string & {})) | null;
        /** @description Upper end of the 95 % interval. */
        readonly ci_high: number | null;
        /** @description Lower end of the 95 % interval. */
        readonly ci_low: number | null;
        /** @description What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference. */
        readonly data_source: 'own' | 'segment' | 'company' | 'prior' | (string & {});
        /** @description Share of its weight that is the tenant's own outcomes. */
        readonly own_data_share: number;
        /** @description Outcomes behind it. */
        readonly sample_size: number;
        /** @description Posterior mean. */
        readonly value: number | null;
      };
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description Cluster of similar contacts; nulls when in none. */
      readonly segment: {
        /** @description high from size 10. */
        readonly confidence_level: ('high' | 'medium' | (string & {})) | null;
        /** @description Segment id. */
        readonly id: string | null;
        /** @description Name. */
        readonly name: string | null;
        /** @description Contacts in it. */
        readonly size: number;
      };
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
    };
    readonly RecipientIntelligenceAnswer: {
      readonly data: components['schemas']['RecipientIntelligence'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description One recipient who has answered at least once. */
    readonly RecipientProfile: {
      /** @description Segment of the recipient; -1 when unassigned. */
      readonly cluster_assignment: number;
      /** @description Tenant id. */
      readonly companyId: string;
      /** @description Domain of the address; unknown when unavailable. */
      readonly email_domain: string;
      /** @description Position bucket; unknown when uncategorised. */
      readonly inferred_position: string;
      /**
       * Format: date-time
       * @description Newest outcome.
       */
      readonly last_updated: string;
      /** @description The job title as sent, where it could not be categorised. */
      readonly original_position: string | null;
      /** @description Answered messages per dimension and level. */
      readonly pattern_preferences: {
        readonly [key: string]: {
          readonly [key: string]: number;
        };
      };
      /** @description Confidence in the position. */
      readonly position_confidence: number;
      /** @description First 16 hexadecimal characters of the SHA-256 of the e-mail address; where none was ever sent, of `recipient_id:` followed by the recipient_id. */
      readonly recipientId: string;
      /** @description Only on rows of an older format. */
      readonly recommendation_code?: string;
      /** @description Replies of this recipient. */
      readonly response_count: number;
      readonly response_metrics?: {
        /** @description Messages. */
        readonly messages: number;
        /** @description Replies. */
        readonly responses: number;
      };
      /** @description Only on some rows. */
      readonly statistical_tests?: {
        readonly [key: string]: unknown;
      };
    };
    /** @description Recipients who have answered. */
    readonly RecipientProfiles: readonly components['schemas']['RecipientProfile'][];
    readonly RecipientProfilesAnswer: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      readonly data: components['schemas']['RecipientProfiles'];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description A short sentence for people. */
      readonly message: string;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /** @description Whether the numbers may be acted upon, and why not. */
      readonly summary: string;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly Suppressions: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description Whether there are entries behind this page already. */
      readonly has_more: boolean;
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Where to continue, now or later: also after the last entry that there is. */
      readonly next_cursor: string;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description In the order of their changes. Each entry stands in the list once, where it changed last. */
      readonly suppressions: readonly {
        /** @description Of the last bounce what kind: hard where its event said that it was for good (metadata.bounce), else unknown. Soft bounces suppress nobody. Null for an opt-out. */
        readonly bounce: ('hard' | 'soft' | 'unknown' | (string & {})) | null;
        /** @description added: do not write any more. removed: nothing of this entry speaks against writing any more. */
        readonly change: 'added' | 'removed' | (string & {});
        /**
         * Format: date-time
         * @description When the entry was added or removed.
         */
        readonly changed_at: string;
        /** @description Over which it was told of; null where that is not known. It holds for all channels. */
        readonly channel: ('email' | 'linkedin' | (string & {})) | null;
        /** @description First 16 hexadecimal characters of the SHA-256 of the address, trimmed and in lower case; null where the entry is of a recipient. */
        readonly email_hash: string | null;
        /** @description Why; of a removed entry why it was there. complaint: an opt-out that was a report of spam, by a message whose event said so (metadata.complaint). */
        readonly reason: 'unsubscribed' | 'bounced' | 'complaint' | (string & {});
        /** @description SHA-256 of the recipient_id, which outlives it; null where the entry is of an address. */
        readonly recipient_id_sha256: string | null;
        /** @description Who is meant, as sent at ingestion; of an address up to 20 who have it. Empty where only hashes are left. */
        readonly recipient_ids: readonly string[];
        /**
         * Format: date-time
         * @description When it came to be: of an opt-out the first, of a bounce the last.
         */
        readonly since: string;
        /**
         * Format: uuid
         * @description Stable id of the entry: what names it when everything else had to be forgotten.
         */
        readonly suppression_id: string;
      }[];
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
    };
    readonly SuppressionsAnswer: {
      readonly data: components['schemas']['Suppressions'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly WorkflowDecisions: {
      /** @description Codes of disclosures that limit the answer (small sample, borrowed prior, stale data ...). Meaning and action per code: the alerts reference. */
      readonly alerts: readonly components['schemas']['AlertCode'][];
      /** @description End of the last run; null before the first. */
      readonly analysed_at: string | null;
      /**
       * Format: date-time
       * @description When this answer was produced.
       */
      readonly as_of: string;
      /** @description With action or contact_ids: a line for each contact. What to do about it now; of an action those alone of whom it still holds; next_cursor leads on, also from a page that has become short. */
      readonly contacts: readonly {
        /** @description What to do, as get_recipient_intelligence says it of this contact. */
        readonly action: 'send' | 'wait' | 'switch_channel' | 'stop' | (string & {});
        /** @description Why not. */
        readonly block_reasons: readonly ('unsubscribed' | 'bounced' | (string & {}))[];
        /** @description Campaign, when known. */
        readonly campaign_id: string | null;
        /** @description Whether the contact may be written to now; null where it is unknown: no leave to write. */
        readonly can_contact: boolean | null;
        /** @description Channel to use. */
        readonly channel: ('email' | 'linkedin' | (string & {})) | null;
        /** @description recipient_id, or as asked for. */
        readonly contact_id: string;
        /** @description When it was made. */
        readonly decided_at: string | null;
        /** @description Decision that this is; null where none stands for what is known now. */
        readonly decision_id: string | null;
        /** @description true: write to it now. The time of the decision has come, and nothing speaks against it. */
        readonly due: boolean;
        /** @description Whether anything of this contact is on record. */
        readonly known: boolean;
        /** @description Earliest sensible time. */
        readonly not_before: string | null;
        /** @description Why, in one sentence. */
        readonly rationale: string;
        /** @description Chance of a reply as the decision states it. */
        readonly reply_probability: number | null;
        /** @description Zero-based step to send. */
        readonly sequence_step: number | null;
      }[];
      /** @description Outcomes received up to then are in all numbers: receipt of the newest batch that the last run read, or that arms were refreshed with; null before the first run. Counts may have newer outcomes too: see the freshness reference. */
      readonly data_as_of: string | null;
      /** @description Decisions that match the filters, over all pages. Of contacts those among the next 200 decisions, up to 1,000 where too few of them hold for a page. */
      readonly decision_count: number;
      /** @description Newest first. */
      readonly decisions: readonly {
        /** @description What to do. */
        readonly action: 'send' | 'wait' | 'switch_channel' | 'stop' | (string & {});
        /** @description Why not, as of now. */
        readonly block_reasons: readonly ('unsubscribed' | 'bounced' | (string & {}))[];
        /** @description Campaign, when known. */
        readonly campaign_id: string | null;
        /** @description Whether the contact may be written to now: live, not frozen with the decision, and overrules its action. Null where no event of the contact is left. */
        readonly can_contact: boolean | null;
        /** @description Channel decided for. */
        readonly channel: 'email' | 'linkedin' | (string & {});
        /** @description How far the stated chance of a reply rests on the tenant's own outcomes; 1 for a stop, which rests on a fact. */
        readonly confidence: number;
        /** @description recipient_id. */
        readonly contact_id: string;
        /** @description What the number rests on: own, segment, company, or prior (no tenant data). Own are this campaign's or contact's outcomes; see the trust-model reference. */
        readonly data_source: 'own' | 'segment' | 'company' | 'prior' | (string & {});
        /** @description Advised time of the day. */
        readonly daypart: string | null;
        /**
         * Format: date-time
         * @description When.
         */
        readonly decided_at: string;
        /** @description Stable id. */
        readonly decision_id: string;
        /** @description true: chosen to learn; by the means alone, another channel would be. */
        readonly exploration: boolean;
        /** @description Whether the contact's next message was the one advised; null while there is none. */
        readonly followed: boolean | null;
        /** @description Earliest time that the advice allows; null for a stop. */
        readonly not_before: string | null;
        /** @description Null while open. */
        readonly outcome: ('no_response' | 'responded' | 'bounced' | 'unsubscribed' | (string & {})) | null;
        /** @description When the outcome came. */
        readonly outcome_at: string | null;
        /** @description Patterns applied. */
        readonly pattern_codes: readonly string[];
        /** @description Position bucket of the arm. */
        readonly position: string;
        /** @description Chance with which the same knowledge leads to this channel; 1 for a stop. */
        readonly propensity: number;
        /** @description Why, in one sentence. */
        readonly rationale: string;
        /** @description What proves the decision: recomputing the result from inputs and model gives the same bytes. Null unless include_replay. */
        readonly replay: {
          /** @description Version of the engine. */
          readonly engine_version: string;
          /** @description JSON, byte for byte as it was frozen. */
          readonly inputs: string;
          /** @description Hash of the inputs. */
          readonly inputs_sha256: string;
          /** @description Names an element of models. */
          readonly model_sha256: string;
          /** @description JSON, byte for byte as it was frozen. */
          readonly result: string;
          /** @description Hash of the result. */
          readonly result_sha256: string;
          /** @description Run that made the decision. */
          readonly run_id: string;
          /** @description Seed of the draw. */
          readonly seed: number;
        } | null;
        /** @description Chance of a reply to the next message as it was stated; nulls for a stop. */
        readonly reply_probability: {
          /** @description Upper end of the 95 % interval. */
          readonly ci_high: number | null;
          /** @description Lower end of the 95 % interval. */
          readonly ci_low: number | null;
          /** @description As it was stated. */
          readonly value: number | null;
        };
        /** @description Zero-based step. */
        readonly sequence_step: number;
        /** @description Whether the next message has settled, so that silence is an answer; null while there is none. */
        readonly settled: boolean | null;
        /** @description Conversation thread. */
        readonly thread_id: string;
        /** @description Advised tone. */
        readonly tone: string | null;
        /** @description Advised weekday. */
        readonly weekday: string | null;
      }[];
      /** @description State of the reply rate: none (no change of late), rate (it changed) or insufficient_data (too little has settled to look: unknown, not stable). */
      readonly drift_state: 'none' | 'rate' | 'insufficient_data' | (string & {});
      /** @description What the decisions rest on; empty unless include_replay. What was known of the company when those of this page were made, once each. */
      readonly models: readonly {
        /** @description JSON as it was frozen: posteriors, contact model, patterns and policy. */
        readonly body: string;
        /** @description Hash of the body. */
        readonly model_sha256: string;
      }[];
      /** @description Latest moment of which an outcome in the last run tells; null where there is none. */
      readonly newest_outcome_at: string | null;
      /** @description Pass as cursor for older entries; null on the last page. */
      readonly next_cursor: string | null;
      /** @description Whether the posteriors may be acted upon: a look for a change was possible, at least 20 replies have settled since the last one, and the newest outcome is at most 30 days old. The summary says why not. */
      readonly posteriors_trustworthy: boolean;
      /** @description What to do about it now; "None." where there is nothing to do. */
      readonly recommended_action: string;
      /**
       * @description Version of this result layout. Fields are only ever added within a major version.
       * @constant
       */
      readonly schema_version: '1.0.0';
      /** @description Level of the answer. */
      readonly scope: 'company' | 'campaign' | 'contact' | (string & {});
      /** @description Where campaign_id is unknown: ids that may be meant. Up to 10, likeliest first. */
      readonly similar_campaign_ids: readonly string[];
      /** @description One or two sentences stating the finding and how far it can be trusted. */
      readonly summary: string;
      /** @description Tenant the answer is about. */
      readonly tenant_id: string;
    };
    readonly WorkflowDecisionsAnswer: {
      readonly data: components['schemas']['WorkflowDecisions'];
      /** @description A short sentence for people. */
      readonly message: string;
      /**
       * @description Always true.
       * @constant
       */
      readonly success: true;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  readonly health: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The service is healthy. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['HealthAnswer'];
        };
      };
    };
  };
  readonly audit: {
    readonly parameters: {
      readonly query?: {
        /** @description next_cursor of the page before, unchanged and with the same filters. Leave out for the first page. */
        readonly cursor?: string;
        /** @description Entries per page. */
        readonly limit?: number;
        /** @description Oldest call time to include, ISO 8601 with offset. Leave out for everything retained. */
        readonly since?: string;
        /** @description Only successful or only failed calls. */
        readonly status?: 'success' | 'error';
        /** @description Only calls of this tool. */
        readonly tool?:
          | 'get_campaign_health'
          | 'get_campaign_recommendations'
          | 'get_bandit_state'
          | 'get_drift_state'
          | 'get_workflow_decisions'
          | 'get_recipient_intelligence'
          | 'get_action_audit_log';
        /** @description Exclusive upper bound of the call time, ISO 8601 with offset. Defaults to now. */
        readonly until?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Audit log of tool calls, newest first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ActionAuditLogAnswer'];
        };
      };
    };
  };
  readonly bandit: {
    readonly parameters: {
      readonly query?: {
        /** @description Only arms of this channel. Leave out for all channels. */
        readonly channel?: 'email' | 'linkedin';
        /** @description Only arms of this position: a job title (VP Sales) or a bucket such as c_suite or vp; position in the answer says which was taken. Leave out for all. */
        readonly position?: string;
        /** @description Most arms to return, best posterior mean first. */
        readonly top_n?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Reply-rate posteriors per channel and position. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['BanditStateAnswer'];
        };
      };
    };
  };
  readonly calibration: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description How stated probabilities came out. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CalibrationAnswer'];
        };
      };
    };
  };
  readonly campaigns: {
    readonly parameters: {
      readonly query?: {
        /** @description next_cursor of the page before, unchanged and with the same filters. Leave out for the first page. */
        readonly cursor?: string;
        /** @description Campaigns per page. */
        readonly limit?: number;
        /** @description Look-back in days, ending at newest_outcome_at; below 15 nothing has settled. */
        readonly window_days?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Campaigns in order of their id. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CampaignListAnswer'];
        };
      };
    };
  };
  readonly campaignHealth: {
    readonly parameters: {
      readonly query?: {
        /** @description Only this channel, variants aside. Default: all. */
        readonly channel?: 'email' | 'linkedin';
        /** @description Most campaigns to list without campaign_id. */
        readonly limit?: number;
        /** @description Look-back in days, ending at newest_outcome_at; below 15 nothing has settled. */
        readonly window_days?: number;
      };
      readonly header?: never;
      readonly path: {
        /** @description Campaign, exactly as sent at ingestion in metadata.campaign_id or metadata.sequence_id. Leave out to list all, worst first. */
        readonly campaignId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Health of one campaign. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CampaignHealthAnswer'];
        };
      };
    };
  };
  readonly campaignsHealth: {
    readonly parameters: {
      readonly query?: {
        /** @description Campaign, exactly as sent at ingestion in metadata.campaign_id or metadata.sequence_id. Leave out to list all, worst first. */
        readonly campaign_id?: string;
        /** @description Only this channel, variants aside. Default: all. */
        readonly channel?: 'email' | 'linkedin';
        /** @description Most campaigns to list without campaign_id. */
        readonly limit?: number;
        /** @description Look-back in days, ending at newest_outcome_at; below 15 nothing has settled. */
        readonly window_days?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Health of the campaigns, worst first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CampaignHealthAnswer'];
        };
      };
    };
  };
  readonly contact: {
    readonly parameters: {
      readonly query?: {
        /** @description Channel that reply_likelihood is for. Leave out for the one decided for. */
        readonly channel?: 'email' | 'linkedin';
      };
      readonly header?: never;
      readonly path: {
        /** @description The recipient_id you sent at ingestion, case-sensitive (e.g. crm-00421), or an e-mail address, which is looked up by its hash and not stored. */
        readonly contactId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Intelligence about one contact. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RecipientIntelligenceAnswer'];
        };
      };
    };
  };
  readonly contactDecisions: {
    readonly parameters: {
      readonly query?: {
        /** @description Lists contacts by what to do about them now: due is whom to write to today. Fills contacts instead of decisions. */
        readonly action?: 'due' | 'send' | 'wait' | 'switch_channel' | 'stop';
        /** @description Only decisions in this campaign: metadata.campaign_id as sent at ingestion. */
        readonly campaign_id?: string;
        /** @description next_cursor of the page before, unchanged and with the same filters. Leave out for the first page. */
        readonly cursor?: string;
        /** @description true adds to each decision the frozen bytes that prove it, and models: several KB, not needed to explain one. */
        readonly include_replay?: boolean;
        /** @description Rows per page; contacts, where left out, as many as fit. */
        readonly limit?: number;
        /** @description Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z. */
        readonly since?: string;
        /** @description Exclusive upper bound of the decision time, ISO 8601 with offset. Defaults to now. */
        readonly until?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Only decisions about this contact: the recipient_id you sent at ingestion, case-sensitive, or an e-mail address. */
        readonly contactId: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Decisions about one contact, newest first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WorkflowDecisionsAnswer'];
        };
      };
    };
  };
  readonly decisions: {
    readonly parameters: {
      readonly query?: {
        /** @description Lists contacts by what to do about them now: due is whom to write to today. Fills contacts instead of decisions. */
        readonly action?: 'due' | 'send' | 'wait' | 'switch_channel' | 'stop';
        /** @description Only decisions in this campaign: metadata.campaign_id as sent at ingestion. */
        readonly campaign_id?: string;
        /** @description Only decisions about this contact: the recipient_id you sent at ingestion, case-sensitive, or an e-mail address. */
        readonly contact_id?: string;
        /** @description Up to 100, without contact_id: a line each in contacts, in this order, on one page. */
        readonly contact_ids?: readonly string[];
        /** @description next_cursor of the page before, unchanged and with the same filters. Leave out for the first page. */
        readonly cursor?: string;
        /** @description true adds to each decision the frozen bytes that prove it, and models: several KB, not needed to explain one. */
        readonly include_replay?: boolean;
        /** @description Rows per page; contacts, where left out, as many as fit. */
        readonly limit?: number;
        /** @description Oldest decision time to include, ISO 8601 with offset, e.g. 2026-01-31T00:00:00Z. */
        readonly since?: string;
        /** @description Exclusive upper bound of the decision time, ISO 8601 with offset. Defaults to now. */
        readonly until?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Decisions, newest first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WorkflowDecisionsAnswer'];
        };
      };
    };
  };
  readonly drift: {
    readonly parameters: {
      readonly query?: {
        /** @description Only this channel: verdict, changes and alerts. Leave out for the company. */
        readonly channel?: 'email' | 'linkedin';
        /** @description Length of the recent period shown, in days. It does not change the verdict. */
        readonly window_days?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Drift state. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['DriftStateAnswer'];
        };
      };
    };
  };
  readonly recommendations: {
    readonly parameters: {
      readonly query?: {
        /** @description Gains at the volume of this campaign, and its variants only. Effects stay those of the whole company. */
        readonly campaign_id?: string;
        /** @description Channel you write for: rates, volume and gain are its own; advice it has no use for (subject lines on LinkedIn) is left out. */
        readonly channel?: 'email' | 'linkedin';
        /** @description do_more keeps recommended patterns, avoid keeps harmful ones. */
        readonly direction?: 'all' | 'do_more' | 'avoid';
        /** @description Only advice of this kind. */
        readonly kind?: 'content' | 'timing' | 'channel' | 'sequence';
        /** @description Most to return, of 51 codes. Left out: 10, or fewer where the answer would become large. */
        readonly limit?: number;
        /** @description Weakest tier to include: directional (hint), likely, confirmed (strongest). */
        readonly min_evidence_tier?: 'directional' | 'likely' | 'confirmed';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Recommendations, largest expected gain first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CampaignRecommendationsAnswer'];
        };
      };
    };
  };
  readonly patterns: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Pattern recommendations, strongest evidence first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PatternsAnswer'];
        };
      };
    };
  };
  readonly analysis: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description First stored analysis record. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['FirstAnalysisAnswer'];
        };
      };
    };
  };
  readonly chunks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Catalogue of the metric chunks. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ChunkCatalogueAnswer'];
        };
      };
    };
  };
  readonly chunk: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description metricName of the catalogue, or one of the two rows beside it: general_analysis (totals, channels and steps), timing_matrix (weekday by hour). */
        readonly metricName:
          | 'tone'
          | 'body_content'
          | 'subject_lines'
          | 'send_timing'
          | 'readability'
          | 'personalization'
          | 'social_proof'
          | 'messaging_approach'
          | 'key_phrases'
          | 'llm'
          | 'recipient_profiling'
          | 'general_analysis'
          | 'timing_matrix';
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Analysis of one metric. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AnalysisRecordAnswer'];
        };
      };
    };
  };
  readonly contactInsights: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Totals over the analyses. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ContactInsightsAnswer'];
        };
      };
    };
  };
  readonly descriptions: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Descriptions of all pattern codes. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PatternDescriptionsAnswer'];
        };
      };
    };
  };
  readonly recipients: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Recipient analysis. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RecipientAnalysisAnswer'];
        };
      };
    };
  };
  readonly profiles: {
    readonly parameters: {
      readonly query?: {
        /** @description cursor of the link to the next page, unchanged. */
        readonly cursor?: string;
        /** @description Most profiles of one page. Without limit and cursor the answer is the whole list. */
        readonly limit?: number;
        /** @description Only profiles that carry exactly this code; only rows of an older format carry one. */
        readonly recommendationCode?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Profiles of recipients who have answered. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RecipientProfilesAnswer'];
        };
      };
    };
  };
  readonly suppressions: {
    readonly parameters: {
      readonly query?: {
        /** @description next_cursor of the page before, unchanged; keep the last one and continue from it later. Leave out to read from the beginning. */
        readonly cursor?: string;
        /** @description Entries per page. */
        readonly limit?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Who must not be written to, in the order of changes. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['SuppressionsAnswer'];
        };
      };
    };
  };
}
