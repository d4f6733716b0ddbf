import * as fc from 'fast-check';
import {
  armInCampaign,
  contactDecider,
  type DecisionInputs,
  type DecisionModel,
  fitContactModel,
  type FrozenDecision,
  predictContact,
  replayDecision,
  StatsDomainError,
} from '..';

let model: DecisionModel;
let decide: ReturnType<typeof contactDecider>;
beforeAll(() => {
  model = {
    policy: { maxSteps: 8, minGapDays: 2 },
    contact: fitContactModel([
      { armMean: 0.05, x: [1, 0], n: 4000, y: 150 },
      { armMean: 0.05, x: [0, 1], n: 4000, y: 110 },
    ]),
    patterns: { codes: ['TA-1'], tone: 'direct', daypart: null, weekday: 'tuesday' },
  };
  decide = contactDecider(model);
});
const inputs: DecisionInputs = {
  seed: 11,
  ended: null,
  currentChannel: 'email',
  currentStep: 0,
  daysSinceLastTouch: 5,
  position: 'vp',
  features: [1, 0],
  candidates: [
    { channel: 'email', alpha: 10, beta: 190 },
    { channel: 'linkedin', alpha: 12, beta: 180 },
  ],
};
const pick = ({ probability, low, high }: ReturnType<typeof predictContact>) => ({ probability, low, high });

describe('contactDecider', () => {
  it('promises the mean and interval of the channel it chose, not the draw', () => {
    const result = decide(inputs);
    expect(result.channel).toBe('email');
    const { probability, low, high } = predictContact(model.contact, { alpha: 10, beta: 190 }, [1, 0]);
    expect(result).toMatchObject({ probability, low, high, patternCodes: ['TA-1'], tone: 'direct' });
  });

  it("promises what the arm promises inside the contact's campaign", () => {
    const campaign = { replies: 30, expected: 15, variance: 0.2 };
    const [email] = inputs.candidates as [(typeof inputs.candidates)[0]];
    const inside = armInCampaign(email, campaign);
    const result = decide({ ...inputs, candidates: [{ ...email, campaign }] });
    expect(result).toMatchObject(pick(predictContact(model.contact, inside, inputs.features)));
    const before = decide({ ...inputs, candidates: [email] }).probability as number;
    // 34 over 20 replies, each given the campaigns' own spread: 1.75 times as many, less what the logit takes away.
    expect((result.probability as number) / before).toBeGreaterThan(1.7);
    const alike = { ...campaign, variance: 0 };
    expect(decide({ ...inputs, candidates: [{ ...email, campaign: alike }] }).probability).toBe(before);
  });

  it('moves draws and promises by the history of the contact', () => {
    const [email] = inputs.candidates as [(typeof inputs.candidates)[0]];
    const plain = decide({ ...inputs, features: [0, 0] });
    expect(plain).toMatchObject(pick(predictContact(null, email, [])));
    // A history that answers less draws every channel down alike: which is best stays, nearly, as it was.
    expect(Math.abs(decide(inputs).propensity - plain.propensity)).toBeLessThan(0.02);
    const alone = decide({ ...inputs, candidates: [email] });
    expect(alone).toMatchObject({ channel: 'email', propensity: 1, exploration: false, reason: 'next_step' });
    expect(decide({ ...inputs, candidates: [{ ...email, channel: 'fax' }] })).toMatchObject({
      ...{ action: 'switch_channel', channel: 'fax', reason: 'better_channel', propensity: 1 },
    });
  });

  it('has the propensities of plain Betas: of three alike a third each, against the current one a quarter more', () => {
    const alike = (channel: string) => ({ channel, alpha: 3, beta: 40 });
    const three = {
      ...inputs,
      currentChannel: 'fax',
      features: [0, 0],
      candidates: ['a', 'b', 'c'].map(alike),
    };
    expect(decide(three).propensity).toBeCloseTo(1 / 3, 2);
    // Of Beta(1, 1) each: P(U > 1.25 V) = .4, and both sides together are all.
    const uniform = (channel: string) => ({ channel, alpha: 1, beta: 1 });
    const two = { ...inputs, features: [0, 0], candidates: ['email', 'linkedin'].map(uniform) };
    const seen = new Map<string | null, number>();
    for (let seed = 0; seed < 40; seed++) {
      const { channel, propensity } = decide({ ...two, seed });
      seen.set(channel, propensity);
    }
    expect(seen.get('email')).toBeCloseTo(0.6, 2);
    expect(seen.get('linkedin')).toBeCloseTo(0.4, 2);
  });

  it.each([
    ['with campaigns that differ', { replies: 4, expected: 9, variance: 0.3 }],
    ['with a new campaign', { replies: 0, expected: 0, variance: 0.3 }],
  ])('chooses each channel as often as its propensity says, %s', (_name, campaign) => {
    const [email, linkedin] = inputs.candidates as [
      (typeof inputs.candidates)[0],
      (typeof inputs.candidates)[0],
    ];
    const some = { ...inputs, candidates: [email, { ...linkedin, campaign }] };
    const draws = 2_000;
    const results = Array.from({ length: draws }, (_, seed) => decide({ ...some, seed }));
    for (const channel of ['email', 'linkedin']) {
      const chosen = results.filter((result) => result.channel === channel);
      expect(chosen.length).toBeGreaterThan(20);
      const [{ propensity }] = chosen as [(typeof chosen)[0]];
      expect(Math.abs(chosen.length / draws - propensity)).toBeLessThan(4 * Math.sqrt(0.25 / draws));
    }
  });

  it('chooses each channel as often as its propensity says', () => {
    const draws = 4_000;
    const chosen = new Map<string, { times: number; propensity: number }>();
    for (let seed = 0; seed < draws; seed += 1) {
      const { channel, propensity } = decide({ ...inputs, seed });
      const before = chosen.get(channel ?? '') ?? { times: 0, propensity };
      chosen.set(channel ?? '', { times: before.times + 1, propensity });
    }
    expect([...chosen.keys()].sort()).toEqual(['email', 'linkedin']);
    for (const { times, propensity } of chosen.values()) {
      expect(Math.abs(times / draws - propensity)).toBeLessThan(4 * Math.sqrt(0.25 / draws));
    }
    const sum = [...chosen.values()].reduce((total, { propensity }) => total + propensity, 0);
    expect(sum).toBeCloseTo(1, 3);
  });

  it('says where a draw and not the mean made the choice', () => {
    const unlike = {
      ...inputs,
      candidates: [inputs.candidates[0], { channel: 'linkedin', alpha: 2, beta: 38 }],
    };
    const decisions = Array.from({ length: 200 }, (_, seed) => decide({ ...unlike, seed } as DecisionInputs));
    for (const { channel, exploration, reason } of decisions) {
      expect(exploration).toBe(channel === 'linkedin');
      expect(reason).toBe(exploration ? 'learning' : 'next_step');
    }
    expect(new Set(decisions.map(({ channel }) => channel)).size).toBe(2);
  });

  it.each([
    [{ ended: 'replied' }, 'replied'],
    [{ ended: 'unsubscribed' }, 'unsubscribed'],
    [{ currentStep: 7 }, 'sequence_exhausted'],
  ] as const)('stops at %j', (change, reason) => {
    expect(decide({ ...inputs, ...change })).toMatchObject({
      action: 'stop',
      reason,
      ...{ channel: null, step: null, waitDays: 0, probability: null, low: null, high: null },
      ...{ propensity: 1, exploration: false, patternCodes: [], tone: null, daypart: null, weekday: null },
    });
  });

  it('waits inside the gap, and already says what for', () => {
    expect(decide({ ...inputs, daysSinceLastTouch: 1 })).toMatchObject({
      action: 'wait',
      reason: 'resting',
      waitDays: 1,
      step: 1,
    });
  });

  it('refuses a policy without steps, or with a gap below zero', () => {
    for (const policy of [
      { maxSteps: 0, minGapDays: 2 },
      { maxSteps: 1, minGapDays: -1 },
    ]) {
      expect(() => contactDecider({ ...model, policy })).toThrow(StatsDomainError);
      expect(() => contactDecider({ ...model, policy })).toThrow(expect.objectContaining({ code: 'range' }));
    }
    expect(contactDecider({ ...model, policy: { maxSteps: 2, minGapDays: 0 } })(inputs)).toMatchObject({
      ...{ action: 'send', waitDays: 0, step: 1, weekday: 'tuesday', daypart: null },
    });
  });
});

describe('replayDecision', () => {
  const campaign = { replies: 4, expected: 9, variance: 0.3 };
  const known = { ...inputs, candidates: inputs.candidates.map((one) => ({ ...one, campaign })) };
  let frozen: FrozenDecision;
  beforeAll(() => {
    frozen = {
      model: JSON.stringify(model),
      inputs: JSON.stringify(known),
      result: JSON.stringify(decide(known)),
    };
  });

  it('gives the stored bytes for any inputs, with a decider used before or a new one', () => {
    const shape = fc.double({ min: 0.5, max: 500, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.tuple(shape, shape, shape, shape),
        fc.nat(9),
        fc.nat(5),
        fc.option(
          fc.record({
            replies: fc.nat(99),
            expected: shape,
            variance: fc.double({ min: 0, max: 2, noNaN: true }),
          }),
          { nil: undefined },
        ),
        (seed, [a, b, c, d], currentStep, daysSinceLastTouch, record) => {
          const some: DecisionInputs = {
            ...inputs,
            seed,
            currentStep,
            daysSinceLastTouch,
            candidates: [
              { channel: 'email', alpha: a, beta: b },
              { channel: 'linkedin', alpha: c, beta: d, ...(record && { campaign: record }) },
            ],
          };
          const stored = { ...frozen, inputs: JSON.stringify(some), result: JSON.stringify(decide(some)) };
          expect(replayDecision(stored).identical).toBe(true);
          expect(replayDecision(stored, decide)).toEqual({ result: stored.result, identical: true });
        },
      ),
      { numRuns: 50 },
    );
  });

  // A seed that draws the other channel: most seeds agree with one another.
  const otherSeed = () =>
    Array.from({ length: 1_000 }, (_, seed) => seed).find(
      (seed) => decide({ ...known, seed }).channel === 'linkedin',
    );

  it.each([
    ['the seed', () => ({ inputs: JSON.stringify({ ...known, seed: otherSeed() }) })],
    ['a posterior', () => ({ inputs: frozen.inputs.replace('"alpha":10', '"alpha":10.0000001') })],
    ["the contact's campaign", () => ({ inputs: frozen.inputs.replace('"replies":4', '"replies":5') })],
    ['the contact model', () => ({ model: JSON.stringify({ ...model, contact: null }) })],
    [
      'the result',
      () => ({ result: frozen.result.replace('"email"', '"linkedin"').replace('"send"', '"wait"') }),
    ],
  ])('sees that %s is not what was frozen', (_what, changed) => {
    expect(replayDecision(frozen).identical).toBe(true);
    expect(replayDecision({ ...frozen, ...changed() }).identical).toBe(false);
  });
});
