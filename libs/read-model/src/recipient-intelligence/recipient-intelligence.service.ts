import { Inject, Injectable } from '@nestjs/common';
import {
  DOCUMENTS,
  idleChannels,
  type AlertCode,
  type BanditDocument,
  type Channel,
  type OutcomeCounts,
  type PatternRecord,
  type RecipientIntelligence,
  type RecipientIntelligenceQuery,
  type SegmentDocument,
} from '@outcomes/contracts';
import { contactOf } from '@outcomes/persistence';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { DecisionRepository } from '../decisions/decision.repository';
import { segmentIndexOf } from '../patterns/segment-membership';
import { RunRepository } from '../runs/run.repository';
import { cleanText } from '../text/clean-text';
import { counted, percent } from '../text/number-words';
import { sampleAlerts } from '../text/sample-alerts';
import { ContactRepository, type ContactHistory } from '../touches/contact.repository';
import { retentionCutoff } from '../touches/retention-cutoff';
import {
  adviceFor,
  canContact,
  isKnown,
  newestDecision,
  replyLikelihood,
  type NewestDecision,
} from './contact-advice';
import { overruled, preferencesOf, preferredChannel } from './contact-preferences';
import { frameOf } from '../frame/result-frame';
import { trustFields, trustIn } from '../frame/trust';
import { PLACES } from '../frame/trust-table';

/** Below this, a position is a guess. */
const TRUSTED_POSITION = 0.6;

/** One contact before it is written to. An e-mail address is looked up by its hash, and not kept anywhere. */
@Injectable()
export class RecipientIntelligenceService {
  constructor(
    @Inject(RunRepository) private readonly runs: RunRepository,
    @Inject(ContactRepository) private readonly contacts: ContactRepository,
    @Inject(DecisionRepository) private readonly decisions: DecisionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: RecipientIntelligenceQuery): Promise<RecipientIntelligence> {
    const contactId = query.contact_id;
    const now = this.clock.now();
    const [contact, expired] = [contactOf(contactId), retentionCutoff(now)];
    // First: what was received by the time that it names is then in the history too.
    const { document, freshness, frame } = await this.runs.read(scope, [
      DOCUMENTS.bandit,
      DOCUMENTS.patterns,
      DOCUMENTS.segments,
    ]);
    const history = await this.contacts.history(scope, contact, expired);
    const decision = newestDecision(await this.decisions.page(scope, { contact, expired }, 1, undefined));
    const bandit = document<BanditDocument>(DOCUMENTS.bandit);
    const patterns = document<PatternRecord[]>(DOCUMENTS.patterns) ?? [];
    // A likelihood for a channel of the caller's rests on the arms of that channel alone.
    const trust = trustIn(frame, now, query.channel);
    const known = isKnown(history);
    const position = positionOf(history);
    const likelihood = replyLikelihood(bandit, decision, query.channel, history);
    const reasons = history.standing.blockReasons;
    const channels = frame?.channels ?? [];
    const advice = adviceFor(history, decision, now, channels);
    const preferences = preferencesOf(patterns);
    const idle = idleChannels(channels, now).map(({ channel }) => channel);
    const facts = { known, reasons, position, likelihood, history, advice, decision, preferences, idle };
    return {
      ...frameOf(scope, 'contact', freshness, now, `${summaryOf(facts)} ${trust.sentence}`, [
        ...alertsOf(facts),
        ...trust.alerts,
      ]),
      contact_id: cleanText(contactId),
      known,
      can_contact: canContact(history),
      block_reasons: reasons,
      position,
      history: historyOf(history),
      reply_likelihood: likelihood,
      preferences,
      segment: segmentOf(document<SegmentDocument>(DOCUMENTS.segments), position.inferred, history.industry),
      next_best_action: advice,
      ...trustFields(trust),
    };
  }
}

function segmentOf(
  document: SegmentDocument | undefined,
  position: string,
  industry: string | null,
): RecipientIntelligence['segment'] {
  const segment = document?.segments[segmentIndexOf(document, { position, industry })];
  if (!segment) return { id: null, name: null, size: 0, confidence_level: null };
  const { id, name, size, confidence_level } = segment;
  return { id, name: cleanText(name), size, confidence_level };
}

interface Facts {
  readonly known: boolean;
  readonly reasons: RecipientIntelligence['block_reasons'];
  readonly position: RecipientIntelligence['position'];
  readonly likelihood: RecipientIntelligence['reply_likelihood'];
  readonly history: ContactHistory;
  readonly advice: RecipientIntelligence['next_best_action'];
  readonly decision: NewestDecision | undefined;
  readonly preferences: RecipientIntelligence['preferences'];
  /** Channels that the company has not sent on of late. */
  readonly idle: readonly Channel[];
}

/** A title that says nothing of the position is kept as it came. */
function positionOf(history: ContactHistory): RecipientIntelligence['position'] {
  const { position, positionConfidence, jobTitle } = history;
  const original = position === 'unknown' && jobTitle !== null ? cleanText(jobTitle) : null;
  return { inferred: position, confidence: position === 'unknown' ? 0 : positionConfidence, original };
}

function historyOf({ cells }: ContactHistory): RecipientIntelligence['history'] {
  const outcomes: { -readonly [Name in keyof OutcomeCounts]: number } = {
    responded: 0,
    no_response: 0,
    bounced: 0,
    unsubscribed: 0,
  };
  for (const cell of cells) outcomes[cell.outcome] += cell.messages;
  const last = [...cells].sort((a, b) => b.lastOutcomeAt.getTime() - a.lastOutcomeAt.getTime())[0];
  const first = cells.map((cell) => cell.firstSentAt.getTime()).sort((a, b) => a - b)[0];
  return {
    events: cells.reduce((sum, cell) => sum + cell.messages, 0),
    outcomes,
    last_outcome: last?.outcome ?? null,
    last_outcome_at: last?.lastOutcomeAt.toISOString() ?? null,
    first_seen_at: first === undefined ? null : new Date(first).toISOString(),
  };
}

function summaryOf({ known, reasons, likelihood, history, advice, decision, preferences }: Facts): string {
  const messages = history.cells.reduce((sum, cell) => sum + cell.messages, 0);
  const who = known
    ? `${counted(messages, 'message')} on record`
    : 'Nothing is known of this contact, so nothing says that it may be written to';
  const block = reasons.length > 0 ? `; must not be contacted (${reasons.join(', ')})` : '';
  const chance =
    likelihood.value === null
      ? 'No reply likelihood can be given yet.'
      : `Reply likelihood ${percent(likelihood.value)}${placeOf(likelihood.channel)}, from ${likelihood.data_source} data.`;
  const when = advice.decided_at === null ? '' : `, as decided on ${advice.decided_at.slice(0, 10)}`;
  return `${who}${block}. ${chance} Next: ${advice.action}${placeOf(advice.channel)}${when}.${overruled(preferences, advice, decision?.record)}`;
}

function placeOf(channel: Channel | null): string {
  return channel === null ? '' : PLACES[channel];
}

function alertsOf({ known, reasons, position, likelihood, preferences, idle }: Facts): AlertCode[] {
  const alerts: AlertCode[] = [];
  if (!known) alerts.push('contact_unknown');
  if (reasons.includes('unsubscribed')) alerts.push('contact_unsubscribed');
  if (reasons.includes('bounced')) alerts.push('contact_bounced');
  if (known && position.confidence < TRUSTED_POSITION) alerts.push('position_low_confidence');
  const spokenOf = [likelihood.channel, preferredChannel(preferences)];
  if (idle.some((channel) => spokenOf.includes(channel))) alerts.push('channel_left_idle');
  if (likelihood.value === null) return alerts;
  // The contact's own outcomes are its arm's, of which they are a part, or the company's.
  if (likelihood.own_data_share < 0.5) alerts.push('borrowed_prior');
  alerts.push(...sampleAlerts(likelihood.sample_size));
  return alerts;
}
