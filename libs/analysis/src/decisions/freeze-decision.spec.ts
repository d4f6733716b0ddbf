import { DAY_MS } from '@outcomes/contracts';
import type { DecisionInputs, DecisionResult } from '@outcomes/statistics';
import { banditOf } from '../../test/decision-fixture';
import { decisionModel } from './decision-model';
import { decisionIdOf, freezeDecision, sha256, storedModel, type DecisionPoint } from './freeze-decision';

const DATA_AS_OF = '2026-02-01T06:00:00.000Z';
const COMPANY = '00000000-0000-4000-8000-000000000001';
const POINT: DecisionPoint = {
  ...{ touchId: '00000000-0000-4000-8000-000000000009', contactId: 'ann', recipientHash: 'h', threadId: 't' },
  ...{ campaignId: 'spring', state: 'open', channel: 'email', step: 1, position: 'vp' },
  sentAt: new Date('2026-01-28T07:00:00Z'),
};

const frozen = (point: Partial<DecisionPoint> = {}, company = COMPANY, dataAsOf = DATA_AS_OF) => {
  const model = storedModel(decisionModel(banditOf(dataAsOf), [], []));
  let given: DecisionInputs | undefined;
  const decide = (inputs: DecisionInputs) => {
    given = inputs;
    return { action: 'wait' } as unknown as DecisionResult;
  };
  const campaignOf = () => ({ replies: 1, expected: 2, variance: 0.1 });
  const row = freezeDecision(company, model, decide, campaignOf, { ...POINT, ...point });
  return { row, inputs: given as DecisionInputs, model };
};

describe('a decision that is frozen', () => {
  it('is made of what is known of the contact at that moment, and of nothing else', () => {
    const { row, inputs, model } = frozen();
    expect(inputs).toMatchObject({
      ...{ ended: null, currentChannel: 'email', currentStep: 1, position: 'vp' },
      // Three days and twenty-three hours.
      daysSinceLastTouch: 3,
    });
    expect(inputs.candidates.every(({ campaign }) => campaign?.expected === 2)).toBe(true);
    expect(JSON.parse(row.inputs)).toEqual(inputs);
    expect(row).toMatchObject({
      ...{
        companyId: COMPANY,
        contactId: 'ann',
        threadId: 't',
        campaignId: 'spring',
        touchId: POINT.touchId,
      },
      ...{ state: 'open', recipientHash: 'h', result: '{"action":"wait"}', decidedAt: new Date(DATA_AS_OF) },
      ...{ engineVersion: model.model.engine_version, modelSha256: sha256(model.body) },
    });
    expect(JSON.parse(model.body)).toEqual(model.model);
    expect(frozen()).toEqual({ row, inputs, model });
  });

  it('says what ended a sequence', () => {
    for (const state of ['replied', 'unsubscribed', 'bounced'] as const)
      expect(frozen({ state }).inputs.ended).toBe(state);
  });

  it('draws anew for each company, contact, message, state and state of the data', () => {
    const seeds = [
      frozen(),
      frozen({}, '00000000-0000-4000-8000-000000000002'),
      frozen({ contactId: 'ben' }),
      frozen({ touchId: '00000000-0000-4000-8000-000000000008' }),
      frozen({ state: 'replied' }),
      frozen({}, COMPANY, new Date(Date.parse(DATA_AS_OF) + DAY_MS).toISOString()),
    ].map(({ inputs }) => inputs.seed);
    expect(new Set(seeds).size).toBe(seeds.length);
    for (const seed of seeds) {
      expect(Number.isInteger(seed)).toBe(true);
      expect(seed).toBeGreaterThanOrEqual(0);
      expect(seed).toBeLessThan(2 ** 32);
    }
    // What was known of the contact before says nothing about the draw.
    expect(frozen({ position: 'director', step: 3 }).inputs.seed).toBe(seeds[0]);
  });
});

describe('the id of a decision', () => {
  it('is a UUID of version 8 that nothing it rests on can change without', () => {
    const { row } = frozen();
    expect(row.decisionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(decisionIdOf(row)).toBe(row.decisionId);
    const others = [
      { ...row, companyId: 'x' },
      { ...row, contactId: 'x' },
      { ...row, threadId: 'x' },
      { ...row, campaignId: null },
      { ...row, touchId: 'x' },
      { ...row, state: 'bounced' as const },
      { ...row, decidedAt: new Date(0) },
      { ...row, engineVersion: 'x' },
      { ...row, modelSha256: 'x' },
      { ...row, inputs: '{}' },
    ].map(decisionIdOf);
    expect(new Set([row.decisionId, ...others]).size).toBe(others.length + 1);
  });
});
