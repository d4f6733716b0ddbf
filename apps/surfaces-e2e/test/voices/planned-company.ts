import { DAY_MS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import { COMPANY_KIND_NAMES, COMPANY_KINDS, type CompanyKind, type CompanyKindName } from './company-kinds';
import {
  drawnFrom,
  type Draw,
  HOUR_MS,
  MINUTE_MS,
  sequencesOf,
  type PlannedMessage,
} from './planned-messages';

export interface PlannedCompany {
  readonly seed: number;
  readonly kind: CompanyKindName;
  /** When it is read. */
  readonly readAt: number;
  /** When it is analysed, oldest first. */
  readonly analysedAt: readonly number[];
  /** Everything that was sent, oldest first; also what no analysis has seen. */
  readonly messages: readonly PlannedMessage[];
  /** What arrives after the last analysis. */
  readonly later: ReadonlySet<PlannedMessage>;
  /** Who is erased after the last analysis, and whether the opt-out is kept. */
  readonly erased: ReadonlyMap<string, boolean>;
}

/**
 * A company of one of the kinds, drawn from a seed: the kinds take turns.
 * @param readAt - epoch milliseconds; everything was sent before it
 * @param scale - of the messages that the kind sends
 */
export function plannedCompany(seed: number, readAt: number, scale = 1): PlannedCompany {
  const kind = COMPANY_KIND_NAMES[seed % COMPANY_KIND_NAMES.length] as CompanyKindName;
  const plan: CompanyKind = COMPANY_KINDS[kind];
  const rng = seededRng(seed + 1);
  const { quietDays = 0, analysedDaysAgo = 0, firstAnalysedDaysAgo, erased = 0, later = 0 } = plan;
  const newest = readAt - quietDays * DAY_MS - (analysedDaysAgo ?? 0) * DAY_MS;
  const draw = drawnFrom(rng);
  const size = scale * (0.6 + 0.8 * rng.next());
  const sequences = plan.stretches.flatMap((stretch) => sequencesOf(plan, stretch, size, newest, draw));
  const before = sequences.flat().filter(({ sentAt }) => sentAt < newest - HOUR_MS);
  const contacts = [...new Set(before.map(({ recipient }) => recipient))];
  const after = contacts
    .filter(() => later > 0 && rng.next() < later)
    .flatMap((recipient) => laterMessage(before, recipient, readAt, draw));
  const lastRun =
    analysedDaysAgo === null || plan.stretches.length === 0 ? [] : [readAt - analysedDaysAgo * DAY_MS];
  const firstRun = firstAnalysedDaysAgo === undefined ? [] : [readAt - firstAnalysedDaysAgo * DAY_MS];
  return {
    ...{ seed, kind, readAt },
    analysedAt: [...firstRun, ...lastRun],
    messages: [...before, ...after].sort((a, b) => a.sentAt - b.sentAt),
    later: new Set(after),
    erased: new Map(erasedAmong(before, contacts, erased).map((recipient, at) => [recipient, at % 2 === 0])),
  };
}

/** What happens to a contact once everything has been analysed: another message, answered or not, or an opt-out. */
function laterMessage(
  before: readonly PlannedMessage[],
  recipient: string,
  readAt: number,
  draw: Draw,
): PlannedMessage[] {
  const own = before.filter((one) => one.recipient === recipient);
  const last = own.at(-1);
  if (last === undefined) return [];
  const sentAt = Math.floor((readAt - 30 * MINUTE_MS - draw.upTo(20) * MINUTE_MS) / 1_000) * 1_000;
  const outcome = draw.oneOf(['no_response', 'responded', 'unsubscribed', 'bounced'] as const);
  const event = {
    ...last.event,
    sequence_step: last.step + 1,
    sent_at: new Date(sentAt).toISOString(),
    outcome_at: new Date(sentAt + 5 * MINUTE_MS).toISOString(),
    outcome,
  };
  return [{ ...last, step: last.step + 1, sentAt, outcome, event }];
}

/** Half of them opted out before, where so many did. */
function erasedAmong(before: readonly PlannedMessage[], contacts: readonly string[], many: number): string[] {
  if (many === 0) return [];
  const optedOut = new Set(
    before.filter(({ outcome }) => outcome === 'unsubscribed').map(({ recipient }) => recipient),
  );
  const some = [...optedOut].slice(0, Math.ceil(many / 2));
  return [...some, ...contacts.filter((recipient) => !optedOut.has(recipient)).slice(0, many - some.length)];
}
