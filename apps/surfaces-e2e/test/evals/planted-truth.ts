import { DAY_MS, type Outcome } from '@outcomes/contracts';
import { COMPANY_KIND_NAMES, type CompanyKindName } from '../voices/company-kinds';
import { plannedCompany, type PlannedCompany } from '../voices/planned-company';
import type { PlannedMessage } from '../voices/planned-messages';

/** Six companies, each for a case that people ask about, by the kind that it is of. */
export const EVAL_COMPANIES = {
  healthy: 'healthy',
  'just changed': 'fell',
  new: 'young',
  'imported history': 'imported history',
  'one campaign gone bad': 'a campaign gone bad',
  'LinkedIn only': 'linkedin only',
} as const satisfies Readonly<Record<string, CompanyKindName>>;
export type EvalCompany = keyof typeof EVAL_COMPANIES;
export const EVAL_COMPANY_NAMES = Object.keys(EVAL_COMPANIES) as EvalCompany[];

/**
 * The seeds are those of the kinds from here on: such that chance shows no change where none is planted, which it does
 * once in a year or so on each channel.
 */
const FIRST_SEED = 200 * COMPANY_KIND_NAMES.length;
/** So large that 20 replies have settled on each channel of those that may be acted upon. */
const SCALE = 3;
/** Days until silence on a channel is an answer. */
const SETTLING_DAYS = { email: 14, linkedin: 21 } as const;
/** First day of the lower rate, in days before the newest message, as the kind is planned. */
const CHANGED_DAYS_AGO = 40;

/** What is true of a company, by plain loops over what was sent. */
export class PlantedTruth {
  readonly plan: PlannedCompany;
  private newest: number | undefined;

  constructor(name: EvalCompany, readAt: number) {
    const seed = FIRST_SEED + COMPANY_KIND_NAMES.indexOf(EVAL_COMPANIES[name]);
    this.plan = plannedCompany(seed, readAt, SCALE);
  }

  /** Somebody of whom this is the newest that came, and of whom nobody else has the address. */
  contactWith(outcome: Outcome): string {
    const newest = new Map(this.plan.messages.map((message) => [message.recipient, message]));
    const found = [...newest.values()].findLast((message) => message.outcome === outcome);
    if (found === undefined) throw new Error(`${this.plan.kind}: nobody with ${outcome}`);
    return found.recipient;
  }

  get campaigns(): string[] {
    return [...new Set(this.plan.messages.flatMap(({ campaign }) => campaign ?? []))].sort();
  }

  /** Found once: the plan stays as it is, and thousands of messages are asked whether they have settled by then. */
  get newestOutcome(): number {
    this.newest ??= Math.max(...this.plan.messages.map(({ event }) => Date.parse(String(event.outcome_at))));
    return this.newest;
  }

  /** When the reply rate changed, as planned. */
  get changedAt(): number {
    return this.plan.readAt - CHANGED_DAYS_AGO * DAY_MS;
  }

  /** Share of a campaign's settled messages of some days, and since a time, that had an outcome. */
  share(outcome: Outcome, campaign: string | null, days: number, since = 0): number {
    const from = Math.max(since, this.newestOutcome - days * DAY_MS);
    const own = this.plan.messages.filter(
      (message) =>
        (campaign === null || message.campaign === campaign) &&
        message.sentAt >= from &&
        isSettled(message, this.newestOutcome),
    );
    return own.filter((message) => message.outcome === outcome).length / own.length;
  }

  /** The same of everything before a time. */
  shareBefore(outcome: Outcome, until: number): number {
    const own = this.plan.messages.filter(({ sentAt }) => sentAt < until);
    return own.filter((message) => message.outcome === outcome).length / own.length;
  }
}

function isSettled({ channel, sentAt }: PlannedMessage, newest: number): boolean {
  return sentAt < newest - SETTLING_DAYS[channel] * DAY_MS;
}
