import { createHash } from 'node:crypto';
import {
  ENGINE_VERSION,
  freezeDecision,
  storedModel,
  type FrozenModel,
  type FrozenRow,
  type StoredModel,
} from '@outcomes/analysis';
import { DAY_MS, POSITIONS, type Channel } from '@outcomes/contracts';
import {
  contactDecider,
  decisionEngine,
  fitContactModel,
  seededRng,
  type CampaignRecord,
  type DecisionModel,
} from '@outcomes/statistics';

/** A decision as it is stored, with the model that it was made from. */
export interface VariedDecision {
  readonly row: FrozenRow;
  readonly stored: StoredModel;
}

/** More than there are today: the computation takes any. */
const CHANNEL_NAMES = ['email', 'linkedin', 'phone', 'sms', 'post', 'chat'] as readonly string[] as Channel[];
const STATES = ['replied', 'unsubscribed', 'bounced'] as const;
const FIRST_DAY = Date.parse('2026-01-05T00:00:00Z');
const OF_ONE_MODEL = 20;

/**
 * Decisions of every kind, made and frozen by the code of the server: one channel to six, with and without a contact
 * model and records of campaigns, from shapes below one to millions of messages.
 * @param engine - what makes the decisions, and what they say that made them; the present one, where it is unknown
 */
export function variedDecisions(
  companyId: string,
  count: number,
  seed: number,
  engine = ENGINE_VERSION,
): VariedDecision[] {
  const { next } = seededRng(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  /** Between two powers of ten, each of them as likely as the other. */
  const between = (low: number, high: number) => 10 ** (low + next() * (high - low));

  const armOf = (channel: Channel, position: (typeof POSITIONS)[number]) => {
    const messages = oneOf([() => between(-1, 1), () => between(1, 4), () => between(4, 7)])();
    const rate = oneOf([() => between(-4, -2), () => between(-2, -0.5), next])();
    const shapes = { alpha: Math.max(0.01, messages * rate), beta: Math.max(0.01, messages * (1 - rate)) };
    return { channel, position, ...shapes, own_data_share: next() };
  };
  const contactModel = (): DecisionModel['contact'] => {
    if (next() < 0.3) return null;
    const rows = [
      [1, 0],
      [0, 1],
    ].flatMap((x) =>
      Array.from({ length: 1 + below(4) }, () => {
        const n = Math.ceil(between(0, 5));
        return { armMean: between(-3, -0.5), x, n, y: below(1 + n * 0.2) };
      }),
    );
    return fitContactModel(rows);
  };
  const modelOf = (): FrozenModel => {
    const channels = CHANNEL_NAMES.slice(0, 1 + below(CHANNEL_NAMES.length));
    return {
      engine_version: engine,
      data_as_of: new Date(FIRST_DAY + below(200) * DAY_MS).toISOString(),
      policy: { maxSteps: 2 + below(9), minGapDays: below(5) },
      prior: { mean: between(-2.5, -0.7), concentration: between(0.5, 2.5) },
      arms: channels.flatMap((channel) =>
        // The others begin with the prior.
        POSITIONS.filter((_position, at) => at === 0 || next() < 0.7).map((position) =>
          armOf(channel, position),
        ),
      ),
      contact: contactModel(),
      patterns: {
        codes: ['TA-1', 'DOW-2', 'HOD-1'].slice(0, below(4)),
        tone: oneOf([null, 'direct']),
        daypart: oneOf([null, 'morning']),
        weekday: oneOf([null, 'tuesday']),
      },
    };
  };
  const campaignOf = (): CampaignRecord | undefined => {
    const variance = between(-3, 0.3);
    return oneOf([
      undefined,
      { replies: 0, expected: 0, variance },
      { replies: below(60), expected: between(-1, 2), variance },
    ]);
  };
  const uuid = () => {
    const hex = createHash('sha256').update(`${seed} ${next()}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };

  const decisions: VariedDecision[] = [];
  while (decisions.length < count) {
    const model = modelOf();
    const stored = storedModel(model);
    const decide = (decisionEngine(engine)?.contactDecider ?? contactDecider)(model);
    const channels = [...new Set(model.arms.map(({ channel }) => channel))];
    for (let made = 0; made < OF_ONE_MODEL && decisions.length < count; made += 1) {
      const contact = `contact-${decisions.length}`;
      const row = freezeDecision(companyId, stored, decide, campaignOf, {
        touchId: uuid(),
        contactId: contact,
        recipientHash: null,
        threadId: `thread of ${contact}`,
        campaignId: oneOf([null, 'spring']),
        state: next() < 0.06 ? oneOf(STATES) : 'open',
        channel: oneOf(channels),
        // Seldom the last of its sequence: a stop has no number that could come out otherwise.
        step: next() < 0.05 ? model.policy.maxSteps - 1 : below(model.policy.maxSteps - 1),
        position: oneOf(POSITIONS),
        sentAt: new Date(Date.parse(model.data_as_of) - next() * 12 * DAY_MS),
      });
      decisions.push({ row, stored });
    }
  }
  return decisions;
}
