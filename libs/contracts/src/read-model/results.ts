import type { ActorType } from '../access/permissions';
import type { AlertCode } from '../alerts/catalogue';
import type { Channel, Outcome, Position } from '../outcomes/dimensions';
import type {
  ArmRecord,
  CalibrationDocument,
  ChangeScope,
  ChannelDrift,
  DriftStateName,
  RateChange,
  RateEstimate,
} from './documents';

export * from './campaign-results';
export * from './recommendation-results';

/**
 * The result documents of the seven questions, in wire form: what an MCP tool returns and what the intelligence
 * group of the REST API puts into its envelope. Within a major version fields are only ever added.
 */
export const SCHEMA_VERSION = '1.0.0';

export const TOOL_NAMES = [
  'get_campaign_health',
  'get_campaign_recommendations',
  'get_bandit_state',
  'get_drift_state',
  'get_workflow_decisions',
  'get_recipient_intelligence',
  'get_action_audit_log',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export interface ResultFrame {
  readonly schema_version: typeof SCHEMA_VERSION;
  readonly tenant_id: string;
  /** Level of the answer. */
  readonly scope: 'company' | 'campaign' | 'contact';
  /** Numbers and enum values only: never text that came from a tenant. */
  readonly summary: string;
  readonly alerts: readonly AlertCode[];
  /** When the answer was produced. */
  readonly as_of: string;
  /** When the newest batch that the run read was received; null before the first run. */
  readonly data_as_of: string | null;
  /** End of the run that made the numbers; null before the first. */
  readonly analysed_at: string | null;
  /** Latest moment of which an outcome in the run tells; null where there is none. */
  readonly newest_outcome_at: string | null;
}

/** What a number rests on: the subject's own outcomes, its segment's, the company's, or no tenant data at all. */
export type NumberSource = 'own' | 'segment' | 'company' | 'prior';

export interface BanditState extends ResultFrame, Trust {
  /** Arms that match the filters, before top_n. */
  readonly arm_count: number;
  /** Bucket that the position asked for was taken for; null where none was asked for, or none is known by that name. */
  readonly position: Position | null;
  /** What the arms lean on while data is scarce: source and rate expected before any outcome; nulls before a run. */
  readonly prior: {
    readonly source: 'platform' | 'market' | null;
    readonly expected_rate: number | null;
  };
  readonly arms: readonly ArmRecord[];
}

export interface DriftPeriod {
  /** YYYY-MM-DD, inclusive; null where the period is empty. */
  readonly from: string | null;
  readonly to: string | null;
  readonly n: number;
  readonly rate: number | null;
}

/** Whether the numbers may be acted upon: said alike in every answer that rests on reply rates. */
export interface Trust {
  readonly drift_state: DriftStateName;
  readonly posteriors_trustworthy: boolean;
  readonly recommended_action: string;
}

/** The look for a change of one channel's reply rate. */
export interface DriftTest {
  readonly channel: Channel;
  readonly metric: 'reply_rate';
  readonly state: DriftStateName;
  readonly method: string;
  readonly statistic: number | null;
  readonly threshold: number;
  /** At least so many days lie between false alarms, on average. */
  readonly average_run_length_days: number;
  /** Of the last change, as are the next four; null where there is none. */
  readonly direction: 'up' | 'down' | null;
  readonly before: RateEstimate | null;
  readonly after: RateEstimate | null;
  readonly told_at: string | null;
  readonly scope: ChangeScope | null;
  /** Whom the last change concerns, e.g. `position vp`; empty where it is the whole channel, or there is none. */
  readonly contributing_strata: readonly string[];
  readonly reference: DriftPeriod;
  readonly recent: DriftPeriod;
  /** First send day after the last change. */
  readonly since: string | null;
  /** Day on which the last change could be told first: told_at under its older name. */
  readonly first_detected_at: string | null;
  /** Of the channel's outcomes. */
  readonly newest_outcome_at: string | null;
  readonly settled_replies: number;
  /** Settled replies to wait for before the posteriors may be acted upon; 0 where it is not replies that lack. */
  readonly replies_needed: number;
  readonly recounted_at: string | null;
  /** Campaigns in the days of the last look, and those too small to be told apart, which were counted together. */
  readonly campaigns: number;
  readonly campaigns_merged: number;
  readonly mix: ChannelDrift['mix'];
  readonly volume: ChannelDrift['volume'];
  readonly posteriors_trustworthy: boolean;
}

export interface DriftState extends ResultFrame, Trust {
  readonly tests: readonly DriftTest[];
  /** The ledger, newest first; the oldest are left out where the answer would become large. */
  readonly changes: readonly RateChange[];
}

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** How stated probabilities came out. Everything is null or empty before anything has settled. */
export interface Calibration
  extends ResultFrame, Trust, Omit<CalibrationDocument, 'data_as_of' | 'awaiting'> {
  readonly awaiting: NonNullable<CalibrationDocument['awaiting']>;
}

export type NextAction = 'send' | 'wait' | 'switch_channel' | 'stop';

export interface RecipientIntelligence extends ResultFrame, Trust {
  readonly contact_id: string;
  readonly known: boolean;
  /** Null where nothing is known of the contact: no leave to write. */
  readonly can_contact: boolean | null;
  readonly block_reasons: readonly ('unsubscribed' | 'bounced')[];
  readonly position: {
    readonly inferred: string;
    readonly confidence: number;
    readonly original: string | null;
  };
  readonly history: {
    /** Messages sent to the contact, each with its strongest outcome. */
    readonly events: number;
    readonly outcomes: OutcomeCounts;
    readonly last_outcome: Outcome | null;
    readonly last_outcome_at: string | null;
    readonly first_seen_at: string | null;
  };
  readonly reply_likelihood: {
    /** Null where it is of no channel but over the company. */
    readonly channel: Channel | null;
    readonly value: number | null;
    readonly ci_low: number | null;
    readonly ci_high: number | null;
    readonly sample_size: number;
    readonly data_source: NumberSource;
    readonly own_data_share: number;
  };
  readonly preferences: readonly {
    readonly dimension: string;
    readonly value: string;
    readonly lift: number | null;
    readonly sample_size: number;
    readonly data_source: NumberSource;
  }[];
  readonly segment: {
    readonly id: string | null;
    readonly name: string | null;
    readonly size: number;
    readonly confidence_level: 'high' | 'medium' | null;
  };
  readonly next_best_action: {
    readonly action: NextAction;
    readonly channel: Channel | null;
    readonly sequence_step: number | null;
    readonly not_before: string | null;
    readonly rationale: string;
    readonly pattern_codes: readonly string[];
    /** The frozen decision that this is; null, as decided_at, where none stands for what is known now. */
    readonly decision_id: string | null;
    readonly decided_at: string | null;
  };
}

export interface AuditEntry {
  readonly entry_id: string;
  readonly timestamp: string;
  readonly tool: string;
  readonly status: 'success' | 'error';
  readonly error_type: string | null;
  readonly latency_ms: number;
  /** Null, like actor_id, in the view of a tenant whom another tenant's credential tried to read. */
  readonly key_id: string | null;
  readonly actor_type: ActorType;
  readonly actor_id: string | null;
  readonly input_sha256: string;
  readonly output_sha256: string | null;
}

export interface ActionAuditLog extends ResultFrame {
  readonly entry_count: number;
  readonly total_count: number;
  readonly entries: readonly AuditEntry[];
  readonly tool_breakdown: Readonly<Record<string, number>>;
  readonly error_rate: number;
  readonly next_cursor: string | null;
}
