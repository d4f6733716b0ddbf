import type { CompanyModelSpec, PlantedStratum } from './company-model';

export type PlantedDrift =
  | { readonly kind: 'rate'; readonly day: number; readonly logOddsShift: number }
  | { readonly kind: 'volume'; readonly day: number; readonly factor: number }
  /** towards this position: its share of new recipients is multiplied */
  | { readonly kind: 'mix'; readonly day: number; readonly position: string; readonly factor: number };

/** How copy is written; without it, every feature is chosen message by message, and campaigns differ in nothing. */
export interface CopyPlan {
  /** dimensions whose level is chosen once per campaign, or once per text; all others message by message */
  readonly perCampaign?: readonly string[];
  readonly perText?: readonly string[];
  /** texts per campaign and step; default 2 */
  readonly texts?: number;
  /** standard deviations on the logit: of campaigns and of texts; default 0 */
  readonly campaignSd?: number;
  readonly textSd?: number;
  /** the same of what a text adds for the recipients of one industry alone: it speaks of what they know, say */
  readonly industrySd?: number;
  /** share of a campaign's recipients who are of the one industry that it is aimed at; by default it is aimed at none */
  readonly aimed?: number;
}

/** What a generated company is like; `{}` is a plain company of 60 days. */
export interface CompanySpec extends CompanyModelSpec {
  /** send days; default 60 */
  readonly days?: number;
  /** first send day, whole days since the epoch; default 20000 (2024-10-04) */
  readonly startDay?: number;
  /** mean sends a day once sequences are running; default 60 */
  readonly sendsPerDay?: number;
  readonly drift?: PlantedDrift;
  /** median days until a reply, per channel; default email 1.2, linkedin 2.5 */
  readonly medianReplyDays?: { readonly email: number; readonly linkedin: number };
  /** default 0.015 of e-mails */
  readonly bounceRate?: number;
  /** default 0.004 of touches */
  readonly unsubscribeRate?: number;
  /** number of campaigns; default 3 */
  readonly campaigns?: number;
  readonly copy?: CopyPlan;
  /** recipient groups that each prefer one tone and one part of the day; default 0 */
  readonly segments?: number;
  /** share of events that carry the full body; default 0 */
  readonly bodyShare?: number;
}

/** One outcome event in the wire form of the interface specification. */
export interface GeneratedEvent {
  readonly event_id: string;
  readonly channel: 'email' | 'linkedin';
  readonly sequence_step: number;
  readonly recipient_id: string;
  readonly recipient_email: string;
  readonly recipient_position: string;
  readonly sent_at: string;
  readonly outcome_at: string;
  readonly outcome: 'responded' | 'no_response' | 'bounced' | 'unsubscribed';
  readonly tone: string;
  readonly word_count: number;
  readonly subject: string;
  readonly body_excerpt: string;
  readonly body?: string;
  readonly industry: string;
  readonly metadata: {
    readonly campaign_id: string;
    readonly opened: boolean;
    readonly meeting_booked: boolean;
  };
}

export interface PlantedSegment {
  readonly industry: string;
  readonly preferredTone: string;
  readonly preferredDaypart: string;
  readonly recipientIds: readonly string[];
}

/** Everything that was planted, for a test to compare with what was found. */
export interface PlantedTruth {
  /** log odds ratio per "dimension.level" that is not zero */
  readonly effects: Readonly<Record<string, number>>;
  readonly strata: readonly PlantedStratum[];
  /** mean reply chance of the sends of each arm, as drawn, drift included */
  readonly arms: readonly {
    readonly channel: string;
    readonly position: string;
    readonly sends: number;
    readonly rate: number;
  }[];
  readonly drift: PlantedDrift | null;
  readonly medianReplyDays: { readonly email: number; readonly linkedin: number };
  readonly segments: readonly PlantedSegment[];
  /** replies that will arrive after the last day: as yet `no_response` */
  readonly repliesStillToCome: number;
  /** level names that each event's message carries, by event_id */
  readonly features: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export interface GeneratedCompany {
  /** ordered by sent_at, then event_id */
  readonly events: readonly GeneratedEvent[];
  readonly truth: PlantedTruth;
}
