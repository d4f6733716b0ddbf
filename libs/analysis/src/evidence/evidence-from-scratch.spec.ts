import { NO_QUESTIONS, type FoldQuestions } from '@outcomes/statistics';
import { generateEvidence, type EvidenceWorld } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { EVIDENCE_DESIGN } from './evidence-design';
import { unpackFold } from './kept-fold';

const NEVER = FIRST_SEND_DAY + 10_000;

/** Claims with companions, over enough campaigns that some are put away before the last is read. */
const world: EvidenceWorld = {
  ...{ copy: 'message', companion: 0.6, campaignSd: 0, textSd: 0.3 },
  ...{ days: 112, sendsPerDay: 120, campaigns: 10, secondChannel: 0.3 },
  effects: { 'phrase1.0': 1, 'tone.4': 0.9 },
};
const sent = messagesOf(generateEvidence(world, 5));
const bytes = (value: unknown) => JSON.stringify(value);

/** A company that has been judged before, so that strata are kept, and of which nothing else is. */
async function judgedBefore() {
  const stored = new StoredCampaigns(sent);
  const found = await stored.run(NEVER);
  const fold = await stored.source(NEVER).fold();
  if (fold === null) throw new Error('a run leaves a fold');
  stored.forgetEvidence();
  stored.putsAway = true;
  return { stored, found, questions: unpackFold(fold.fold).fold.questions };
}

describe('evidence that is read from scratch', () => {
  it('goes into the fold as it is read, with the answers to what will be asked', async () => {
    const { stored, found, questions } = await judgedBefore();
    expect(questions.watched.length * questions.pairs.length).toBeGreaterThan(0);
    stored.guess = questions;
    expect(bytes(await stored.run(NEVER, 1))).toBe(bytes(found));
    expect(stored.asked.putAway).toBe(0);
  });

  it('is read again for what was not guessed', async () => {
    const { stored, found } = await judgedBefore();
    const counted = stored.asked.strata.length;
    expect(bytes(await stored.run(NEVER, 1))).toBe(bytes(found));
    expect(stored.asked.putAway).toBeGreaterThan(0);
    expect(stored.asked.strata).toHaveLength(counted);
  });

  it('is the same whatever was guessed, and no pair is counted for a guess', async () => {
    const [code, other] = ['TA-5', 'TA-1'];
    const wrong: FoldQuestions = {
      watched: EVIDENCE_DESIGN.features.map((_, feature) => feature),
      changes: [],
      pairs: [
        { code, within: 'daypart', since: null },
        { code: other, within: 'weekday', since: null },
      ],
    };
    const { stored, found } = await judgedBefore();
    const counted = stored.asked.strata.length;
    stored.guess = wrong;
    expect(bytes(await stored.run(NEVER))).toBe(bytes(found));
    expect(stored.asked.strata).toHaveLength(counted);
  });

  it('folds campaigns that share texts as one, of which none stands alone', async () => {
    const shared = sent.map((message, i) => ({ ...message, textId: i % 4 }));
    const [stored, guessed] = [new StoredCampaigns(shared), new StoredCampaigns(shared)];
    guessed.guess = { ...NO_QUESTIONS, watched: [0, 1, 2] };
    const [one, other] = [await stored.run(NEVER), await guessed.run(NEVER)];
    expect(bytes(other)).toBe(bytes(one));
    const ofTone = one.assessments.filter(({ dimension }) => dimension === 'tone');
    expect(Math.max(...ofTone.map(({ textsWith }) => textsWith))).toBeLessThanOrEqual(4);
  });
});
