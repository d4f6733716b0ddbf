/** The result documents about decisions: what was decided, and the proof that it stands. */
import type { Channel, Outcome } from '../outcomes/dimensions';
import type { NextAction, NumberSource, ResultFrame, Trust } from './results';

export interface WorkflowDecision {
  readonly decision_id: string;
  readonly decided_at: string;
  readonly contact_id: string;
  readonly campaign_id: string | null;
  readonly thread_id: string;
  readonly channel: Channel;
  readonly sequence_step: number;
  readonly action: NextAction;
  readonly rationale: string;
  readonly confidence: number;
  readonly exploration: boolean;
  readonly position: string;
  readonly pattern_codes: readonly string[];
  readonly outcome: Outcome | null;
  readonly outcome_at: string | null;
  /** Whether the contact's next message has settled, so that no reply is an answer; null while there is none. */
  readonly settled: boolean | null;
  readonly data_source: NumberSource;
  /** Earliest time that the advice allows; null for a stop. */
  readonly not_before: string | null;
  /** Chance of a reply to the next message as it was stated, with its 95 % interval; null for a stop. */
  readonly reply_probability: {
    readonly value: number | null;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
  };
  /** Chance with which the same knowledge leads to this channel; 1 for a stop. */
  readonly propensity: number;
  readonly tone: string | null;
  readonly daypart: string | null;
  readonly weekday: string | null;
  /** Whether the contact's next message was the one advised; null while there is none. */
  readonly followed: boolean | null;
  /** Null unless asked for. */
  readonly replay: DecisionReplayProof | null;
  /** As of now, not as it was frozen: whether the contact may be written to, whatever the action says. */
  readonly can_contact: boolean | null;
  readonly block_reasons: readonly ('unsubscribed' | 'bounced')[];
}

/** What proves a decision: the frozen bytes. Recomputing `result` from `inputs` and the model gives the same bytes. */
export interface DecisionReplayProof {
  readonly run_id: string;
  readonly engine_version: string;
  readonly seed: number;
  /** JSON as it was stored. */
  readonly inputs: string;
  readonly inputs_sha256: string;
  /** JSON as it was stored. */
  readonly result: string;
  readonly result_sha256: string;
  /** Names an element of `models`. */
  readonly model_sha256: string;
}

export interface WorkflowDecisions extends ResultFrame, Trust {
  readonly decision_count: number;
  readonly decisions: readonly WorkflowDecision[];
  /** What was known of the company when the decisions of this page were made, once each; empty without replay. */
  readonly models: readonly { readonly model_sha256: string; readonly body: string }[];
  readonly next_cursor: string | null;
}
