import { campaignKeyOf, fortnightOf } from '@outcomes/persistence';
import { NO_QUESTIONS } from '@outcomes/statistics';
import { generateEvidence } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import type { EvidenceNotes } from '../evidence/evidence-notes.repository';
import { EVIDENCE_MAKE } from '../evidence/packed-evidence';
import { STRATA_MAKE } from '../evidence/pair-strata';
import { readEvidence } from '../evidence/read-evidence';
import { RememberedEvidence } from './remembered-evidence';

const DAY = FIRST_SEND_DAY + 60;
const sent = messagesOf(
  generateEvidence({ copy: 'mixed', campaignSd: 0, textSd: 0, days: 56, sendsPerDay: 20, campaigns: 4 }, 3),
);
const KEYS = [...new Set(sent.map(({ campaignId }) => campaignKeyOf(campaignId)))].sort((a, b) => a - b);

describe('what is remembered from week to week', () => {
  const stored = new StoredCampaigns(sent);
  const counts = stored.source(DAY);
  let notes: EvidenceNotes;

  beforeAll(async () => {
    ({ notes } = await readEvidence(counts, DAY));
  });

  /** As they are found again. */
  const known = () =>
    notes.campaigns.map(({ variants: _variants, ...note }) => ({ ...note, make: EVIDENCE_MAKE }));
  const strataOf = (revision: string) =>
    KEYS.map((campaign) => ({
      ...{ campaign, revision, maturedOn: DAY, maturesNext: null },
      strata: Buffer.from(`${revision} ${campaign}`),
    }));

  it('is at first nothing but the campaigns, as they are counted', async () => {
    const source = new RememberedEvidence().over(counts, DAY);
    expect(await source.registry()).toEqual(await counts.registry());
    expect((await source.standing()).others.map(({ campaign }) => campaign)).toEqual(KEYS);
    expect([await source.fold(), await source.judgement()]).toEqual([null, null]);
    expect([await source.kept(KEYS), await source.keptStrata(KEYS)]).toEqual([[], []]);
    expect(await source.rows(KEYS.slice(1))).toEqual(await counts.rows(KEYS.slice(1)));
    const { campaigns } = await counts.registry();
    const fortnight = fortnightOf(FIRST_SEND_DAY);
    const range = { campaigns, firstFortnight: fortnight, lastFortnight: fortnight + 1 };
    const strata = await source.strata({ code: 'TA-1', within: 'subject_question' }, range);
    expect(strata.length).toBeGreaterThan(0);
    expect(strata).toEqual(await counts.strata({ code: 'TA-1', within: 'subject_question' }, range));
  });

  it('says nothing of variants, and guesses no questions', async () => {
    const source = new RememberedEvidence().over(counts, DAY);
    expect(await source.guess()).toEqual(NO_QUESTIONS);
    expect([await source.variants(), await source.randomized([{ campaignId: 'campaign 1' }])]).toEqual([
      [],
      [],
    ]);
  });

  it('is what a week has put away while it was reading, for that week and the next', async () => {
    const remembered = new RememberedEvidence();
    const source = remembered.over(counts, DAY);
    expect(known().map(({ campaign }) => campaign)).toEqual(KEYS);
    await source.store?.keep(notes.campaigns.slice(1));
    expect(await source.store?.kept(KEYS)).toEqual(known().slice(1));
    const next = remembered.over(counts, DAY + 7);
    expect(await next.kept(KEYS.slice(0, 2))).toEqual(known().slice(1, 2));
    expect((await next.registry()).campaigns.map(({ kept }) => kept)).toEqual([null, ...known().slice(1)]);
    // What is kept of a campaign is of no other day than it says.
    expect((await source.standing()).others.map(({ campaign }) => campaign)).toEqual(KEYS.slice(0, 1));
  });

  it('is what a week leaves: campaigns, strata and the fold, until another takes their place', async () => {
    const remembered = new RememberedEvidence();
    const source = remembered.over(counts, DAY);
    const [first, again] = [strataOf('a'), strataOf('b').slice(0, 1)];
    remembered.keep({ ...notes, strata: first });
    expect(await source.kept(KEYS)).toEqual(known());
    expect(await source.keptStrata(KEYS)).toEqual(first.map((note) => ({ ...note, make: STRATA_MAKE })));
    expect(await source.keptStrata(KEYS.slice(0, 1))).toHaveLength(1);
    const fold = { ...(notes.fold as object), make: EVIDENCE_MAKE };
    expect([await source.fold(), await source.judgement()]).toEqual([fold, fold]);

    remembered.keep({ campaigns: [], strata: again, gone: [], fold: 'stands' });
    expect(await source.keptStrata(KEYS)).toEqual(
      [...again, ...first.slice(1)].map((note) => ({ ...note, make: STRATA_MAKE })),
    );
    expect(await source.fold()).toEqual(fold);

    const gone = first.map((note) => ({ ...note, strata: null })).slice(0, 2);
    remembered.keep({ campaigns: [], strata: gone, gone: [], fold: null });
    expect(await source.keptStrata(KEYS)).toEqual(
      first.slice(2).map((note) => ({ ...note, make: STRATA_MAKE })),
    );
    expect([await source.fold(), await source.judgement()]).toEqual([null, null]);
  });
});
