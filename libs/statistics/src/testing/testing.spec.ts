import { drawBinomial, drawGamma, drawPoisson, type Rng, seededRng } from '..';
import { DIMENSIONS, generateCohorts, generateCompany, type GeneratedEvent, planCompany } from '.';
import { DAY_MS, isoTime } from './iso-time';

let events: readonly GeneratedEvent[];
let truth: ReturnType<typeof generateCompany>['truth'];
beforeAll(() => {
  ({ events, truth } = generateCompany(
    {
      days: 40,
      sendsPerDay: 40,
      segments: 3,
      bodyShare: 1,
      unsubscribeRate: 0.02,
      effects: { 'tone.direct': 0.5 },
    },
    51,
  ));
});
const featuresOf = (event: GeneratedEvent): Readonly<Record<string, string>> =>
  truth.features.get(event.event_id) as Readonly<Record<string, string>>;
const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

describe('generated events', () => {
  it('aims a campaign at one industry where asked to', () => {
    const industriesOf = (aimed?: number) => {
      const { events } = generateCompany({ days: 20, campaigns: 4, copy: { ...(aimed && { aimed }) } }, 5);
      const campaigns = Map.groupBy(events, ({ metadata }) => metadata.campaign_id);
      return [...campaigns.values()].map((own) => new Set(own.map(({ industry }) => industry)).size);
    };
    expect(industriesOf(1)).toEqual([1, 1, 1, 1]);
    expect(industriesOf(0.5)).toEqual([5, 5, 5, 5]);
    expect(industriesOf()).toEqual([5, 5, 5, 5]);
  });
  it('are the same bytes for the same seed, and others for another', () => {
    const spec = { days: 5, sendsPerDay: 20 };
    expect(JSON.stringify(generateCompany(spec, 3).events)).toBe(
      JSON.stringify(generateCompany(spec, 3).events),
    );
    expect(JSON.stringify(generateCompany(spec, 3).events)).not.toBe(
      JSON.stringify(generateCompany(spec, 4).events),
    );
  });
  it('have the wire form', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const tones = ['direct', 'conversational', 'professional', 'empathetic', 'questioning'];
    const others = events.filter(
      (event) =>
        !uuid.test(event.event_id) ||
        !['email', 'linkedin'].includes(event.channel) ||
        !(event.sequence_step >= 0 && event.sequence_step <= 50) ||
        !(event.outcome_at >= event.sent_at) ||
        !tones.includes(event.tone) ||
        !((event.body as string).length <= 10_000),
    );
    expect(others).toEqual([]);
    expect(new Set(events.map((e) => e.event_id)).size).toBe(events.length);
    expect(new Set(events.map((e) => e.outcome))).toEqual(
      new Set(['responded', 'no_response', 'bounced', 'unsubscribed']),
    );
  });
  it('carry in their texts the features that the truth names', () => {
    const sizes: Readonly<Record<string, readonly [number, number]>> = {
      under_50: [0, 49],
      '50_75': [50, 75],
      '76_125': [76, 125],
      '126_200': [126, 200],
      over_200: [201, 999],
    };
    const carried = ({ body = '', subject, word_count: count, tone }: GeneratedEvent, length?: string) => {
      const [low, high] = sizes[length as string] as readonly [number, number];
      return {
        ...{ words: words(body), isOfLength: count >= low && count <= high, tone },
        ...{ asks: subject.endsWith('?'), hasNumber: /\d/.test(subject) },
        hasProof: /(customers|companies) like/i.test(body),
        hasPhrase: /quick question/i.test(body),
        isPersonal: body.startsWith('Hi '),
      };
    };
    const named = ({ word_count: count }: GeneratedEvent, features: Readonly<Record<string, string>>) => ({
      ...{ words: count, isOfLength: true, tone: features.tone },
      ...{ asks: features.subject_form === 'question', hasNumber: features.subject_form === 'number' },
      hasProof: features.social_proof === 'present',
      hasPhrase: features.key_phrase === 'quick_question',
      isPersonal: features.personalization !== 'none',
    });
    expect(events.map((event) => carried(event, featuresOf(event).length))).toEqual(
      events.map((event) => named(event, featuresOf(event))),
    );
  });
  it('stop for a recipient who replied in time, bounced or unsubscribed', () => {
    const left = new Map<string, string>();
    for (const event of events) {
      const since = left.get(event.recipient_id);
      if (since !== undefined) expect(since >= event.sent_at).toBe(true);
      if (event.outcome !== 'no_response') left.set(event.recipient_id, event.outcome_at);
    }
  });
  it('reply as often as the truth says, arm by arm', () => {
    for (const { channel, sends, rate } of truth.arms)
      expect(`${channel} ${sends > 0 && rate > 0 && rate < 1}`).toBe(`${channel} true`);
    const replies = events.filter((e) => e.outcome === 'responded').length + truth.repliesStillToCome;
    const expected = truth.arms.reduce((sum, { sends, rate }) => sum + sends * rate, 0);
    expect(Math.abs(replies - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });
  it.each([
    [
      { kind: 'rate' as const, day: 20, logOddsShift: -2 },
      (half: GeneratedEvent[]) => half.filter((e) => e.outcome === 'responded').length / half.length,
      0.6,
    ],
    [{ kind: 'volume' as const, day: 20, factor: 0.3 }, (half: GeneratedEvent[]) => half.length, 0.7],
  ])('plant drift: %j', (drift, measure, atMost) => {
    const drifted = generateCompany(
      { days: 40, sendsPerDay: 80, startDay: 20_000, drift, medianReplyDays: { email: 0.2, linkedin: 0.2 } },
      52,
    ).events;
    const cut = isoTime(20_020 * DAY_MS);
    const [before, after] = [drifted.filter((e) => e.sent_at < cut), drifted.filter((e) => e.sent_at >= cut)];
    expect(measure(after)).toBeLessThan(atMost * measure(before));
  });
  it('has 51 levels in thirteen dimensions', () => {
    expect(planCompany({}, seededRng(1)).width).toBe(51);
    expect(DIMENSIONS).toHaveLength(13);
  });
});

describe('generated cohorts', () => {
  it('are consistent, in order of the day, with the planted effect in them', () => {
    const model = planCompany({ baseRate: 0.08, effects: { 'tone.direct': 1 } }, seededRng(53));
    const cohorts = generateCohorts(model, { days: 90, sendsPerDay: 60 }, seededRng(54));
    expect(cohorts.map(({ day }) => day)).toEqual(cohorts.map(({ day }) => day).sort((a, b) => a - b));
    const rate = (levels: readonly number[]) => {
      const total = (of: 'n' | 'y') =>
        levels.reduce(
          (sum, level) => sum + cohorts.reduce((all, cohort) => all + (cohort[of][level] ?? 0), 0),
          0,
        );
      return total('y') / total('n');
    };
    expect(rate([0])).toBeGreaterThan(1.5 * rate([1, 2, 3, 4]));
  });
});

describe('samplers have the right means', () => {
  const mean = (draw: () => number): number =>
    Array.from({ length: 4000 }, draw).reduce((a, b) => a + b, 0) / 4000;
  let rng: Rng;
  beforeAll(() => {
    rng = seededRng(55);
  });
  it.each([
    ['Poisson 3', () => drawPoisson(rng, 3), 3, Math.sqrt(3)],
    ['Poisson 300', () => drawPoisson(rng, 300), 300, Math.sqrt(300)],
    ['Binomial 5000 x .1', () => drawBinomial(rng, 5000, 0.1), 500, Math.sqrt(450)],
    ['Binomial 20 x .9', () => drawBinomial(rng, 20, 0.9), 18, Math.sqrt(1.8)],
    ['Gamma .3', () => drawGamma(rng, 0.3), 0.3, Math.sqrt(0.3)],
  ])('%s', (_, draw, expected, sd) => {
    expect(Math.abs(mean(draw) - expected)).toBeLessThan((4 * sd) / Math.sqrt(4000));
  });
});

describe('isoTime', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [951_782_399_999, '2000-02-28T23:59:59.999Z'],
    [951_782_400_000, '2000-02-29T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_728_000_000_000, '2024-10-04T00:00:00.000Z'],
  ])('%i is %s', (ms, text) => {
    expect(isoTime(ms)).toBe(text);
  });
});
