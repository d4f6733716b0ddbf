import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contactDecider,
  decisionEngine,
  type DecisionEngine,
  type DecisionInputs,
  type DecisionModel,
  ENGINE_VERSION,
} from '..';

const FROZEN = join(__dirname, '../../engines/engine-2.1.0.cjs');

const model: DecisionModel = {
  policy: { maxSteps: 8, minGapDays: 2 },
  contact: {
    coefficients: [0.31, -0.17],
    covariance: [
      [0.02, 0.001],
      [0.001, 0.03],
    ],
    sends: 8_000,
  },
  patterns: { codes: ['TA-1'], tone: 'direct', daypart: null, weekday: 'tuesday' },
};

function inputsOf(seed: number): DecisionInputs {
  const campaign = { replies: seed % 7, expected: 5, variance: 0.2 };
  return {
    ...{
      seed,
      ended: null,
      currentChannel: 'email',
      currentStep: seed % 4,
      daysSinceLastTouch: 5,
      position: 'vp',
    },
    features: [seed % 3, (seed % 5) / 5],
    candidates: [
      { channel: 'email', alpha: 2.5 + (seed % 11), beta: 190, ...(seed % 2 ? { campaign } : {}) },
      { channel: 'linkedin', alpha: 0.7 + seed, beta: 180 + 3 * seed },
    ],
  };
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);
const decided = ({ contactDecider: decider }: Pick<DecisionEngine, 'contactDecider'>) => {
  const decide = decider(model);
  return SEEDS.map((seed) => JSON.stringify(decide(inputsOf(seed))));
};
const engine = (version: string): DecisionEngine => decisionEngine(version) as DecisionEngine;

/** The platform's functions, one unit in the last place higher: as another engine may have them. */
function onAnotherEngine<Result>(compute: () => Result): Result {
  const bits = new Float64Array(1);
  const words = new BigInt64Array(bits.buffer);
  for (const name of ['exp', 'log', 'log1p'] as const) {
    const own = Math[name];
    jest.spyOn(Math, name).mockImplementation((x) => {
      bits[0] = own(x);
      if (Number.isFinite(bits[0]) && bits[0] !== 0) words[0] = (words[0] as bigint) + 1n;
      return bits[0];
    });
  }
  try {
    return compute();
  } finally {
    jest.restoreAllMocks();
  }
}

describe('the engine of a decision', () => {
  it('is the one that made it, and none for a version that nobody had', () => {
    expect(engine(ENGINE_VERSION).contactDecider).toBe(contactDecider);
    const versions = ['2.1.0', '2.0.0', '1.0.0'];
    expect(versions.map((version) => engine(version).contactDecider === contactDecider)).toEqual(
      versions.map(() => false),
    );
    expect(['0.9.0', '9.0.0', 'toString', ''].map(decisionEngine)).toEqual(Array(4).fill(undefined));
  });

  it('stays as it was', () => {
    // Never to be renewed: another digest means that decisions of old replay differently.
    expect(createHash('sha256').update(readFileSync(FROZEN)).digest('hex')).toBe(
      '76ad24a2bba2c69499a66fd47b5b247d1fe814f8b6ee7dc7b0078065291d0d43',
    );
  });

  it.each(['2.1.0', ENGINE_VERSION])('replays what it decided: %s', (version) => {
    const { contactDecider: decider, replayDecision } = engine(version);
    const decide = decider(model);
    const text = JSON.stringify(model);
    for (const seed of SEEDS) {
      const frozen = {
        model: text,
        inputs: JSON.stringify(inputsOf(seed)),
        result: JSON.stringify(decide(inputsOf(seed))),
      };
      expect(replayDecision(frozen).identical).toBe(true);
    }
  });

  it('gives the same bytes wherever the last bit of exp and log differs; the one before did not', () => {
    expect(onAnotherEngine(() => decided(engine(ENGINE_VERSION)))).toEqual(decided(engine(ENGINE_VERSION)));
    const before = decided(engine('2.1.0'));
    const elsewhere = onAnotherEngine(() => decided(engine('2.1.0')));
    expect(elsewhere.filter((result, i) => result !== before[i]).length).toBeGreaterThan(SEEDS.length / 2);
  });

  it('made of the same inputs what the one before made, but for rounding', () => {
    const [now, before] = [ENGINE_VERSION, '2.1.0'].map((version) =>
      decided(engine(version)).map((result) => JSON.parse(result) as Record<string, unknown>),
    ) as [Record<string, unknown>[], Record<string, unknown>[]];
    now.forEach((result, i) => {
      for (const [name, value] of Object.entries(before[i] as object)) {
        if (typeof value === 'number') expect(result[name]).toBeCloseTo(value, 12);
        else expect(result[name]).toEqual(value);
      }
    });
  });
});
