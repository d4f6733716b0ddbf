import { DAY_MS } from '@outcomes/contracts';
import { generateEvidence } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { isoDay } from '../cohorts/days';
import { evidenceWeeks } from '../evidence/evidence-weeks';
import { readEvidence } from '../evidence/read-evidence';
import { foldWeeks, type FoldedWeeks } from './fold-weeks';
import { RememberedEvidence } from './remembered-evidence';

/** What one phrase does ends, so that it is claimed and taken back; its tone has a companion. */
const sent = messagesOf(
  generateEvidence(
    {
      ...{ copy: 'message', companion: 0.6, campaignSd: 0, textSd: 0.3, days: 126, sendsPerDay: 120 },
      ...{ campaigns: 10, secondChannel: 0.3, effects: { 'phrase1.0': 1, 'tone.4': 0.9 }, until: 70 },
    },
    5,
  ),
);
/** The first day of sends is a Thursday. */
const MONDAYS = Array.from({ length: 15 }, (_, week) => FIRST_SEND_DAY + 4 + 28 + 7 * week);
const CAMPAIGNS = new Set(sent.map(({ campaignId }) => campaignId)).size;

describe('weeks that are folded one after the other', () => {
  const stored = new StoredCampaigns(sent);
  let folded: FoldedWeeks;

  beforeAll(async () => {
    folded = await foldWeeks((sunday) => stored.source(sunday), MONDAYS);
  });

  it('find what the counts alone say, as of the Sunday of each', async () => {
    expect([...new Set(folded.weeks.map(({ week }) => week))]).toEqual(MONDAYS.map(isoDay));
    for (const monday of [MONDAYS[0], MONDAYS[6], MONDAYS[14]] as number[]) {
      const { assessments } = await readEvidence(new StoredCampaigns(sent).source(monday + 6), monday + 6);
      expect(folded.weeks.filter(({ week }) => week === isoDay(monday))).toEqual(
        evidenceWeeks(assessments, isoDay(monday)),
      );
    }
  });

  it('claim what they find, dated with the Sunday, and each claim follows the one before', () => {
    const standing = new Map<string, string>();
    const confirmed = new Set<string>();
    for (const monday of MONDAYS) {
      const sunday = new Date((monday + 6) * DAY_MS);
      for (const { code, tier } of folded.claims.filter(({ since }) => +since === +sunday))
        standing.set(code, tier);
      for (const { code, tier } of folded.weeks.filter(({ week }) => week === isoDay(monday))) {
        expect([code, standing.get(code) ?? 'none']).toEqual([code, tier]);
        if (tier === 'confirmed') confirmed.add(code);
      }
    }
    expect(confirmed.size).toBeGreaterThan(1);
    for (const own of Map.groupBy(folded.claims, ({ code }) => code).values())
      expect(own.map(({ number }) => number)).toEqual(own.map((_, at) => at + 1));
  });

  it('read a campaign again only where more of it has matured', () => {
    expect(stored.asked.rows).toBeGreaterThan(CAMPAIGNS);
    expect(stored.asked.rows).toBeLessThan(0.7 * CAMPAIGNS * MONDAYS.length);
  });

  it('take nothing back because of an erasure: none of them follows one', async () => {
    const fading = new StoredCampaigns(
      messagesOf(
        generateEvidence(
          {
            ...{ copy: 'message', campaignSd: 0, textSd: 0, days: 112, sendsPerDay: 60, campaigns: 6 },
            ...{ effects: { 'phrase1.0': 0.6, 'tone.4': 0.6 }, until: 42 },
          },
          2,
        ),
      ),
    );
    const { claims } = await foldWeeks((sunday) => fading.source(sunday), MONDAYS.slice(0, 12));
    expect(claims.map(({ tier, reason }) => [tier, reason])).toEqual([
      ['likely', 'found'],
      ['none', 'undecided'],
    ]);
  });
});

describe('what a week leaves for the next', () => {
  it('stands where nothing has matured in between', async () => {
    const [stored, remembered] = [new StoredCampaigns(sent), new RememberedEvidence()];
    const day = FIRST_SEND_DAY + 60;
    const read = (on: number) => readEvidence(remembered.over(stored.source(on), on), on);
    const first = await read(day);
    expect(first.notes.fold).not.toBe('stands');
    remembered.keep(first.notes);
    const { rows } = stored.asked;
    const second = await read(day);
    expect(second.notes.fold).toBe('stands');
    expect(second.assessments).toEqual(first.assessments);
    expect(stored.asked.rows).toBe(rows);
    remembered.keep(second.notes);
    expect((await read(day)).notes.fold).toBe('stands');
  });

  it('holds the strata of pairs of claims, which are counted once', async () => {
    const [stored, remembered] = [new StoredCampaigns(sent), new RememberedEvidence()];
    // While the effect lasts: nobody asks for the strata of what is not claimed any more.
    const day = FIRST_SEND_DAY + 97;
    const source = () => remembered.over(stored.source(day), day);
    const { notes } = await readEvidence(source(), day);
    remembered.keep(notes);
    const counted = stored.asked.strata.length;
    expect(counted).toBeGreaterThan(0);
    // As if the fold of all campaigns had been lost: it is made from scratch.
    remembered.keep({ campaigns: [], strata: [], gone: [], fold: null });
    const again = await readEvidence(source(), day);
    expect(again.notes.fold).not.toBe('stands');
    expect(stored.asked.strata).toHaveLength(counted);
    remembered.keep({
      ...{ campaigns: [], gone: [], fold: null },
      strata: notes.campaigns.map((own) => ({ ...own, strata: null })),
    });
    await readEvidence(source(), day);
    expect(stored.asked.strata).toHaveLength(2 * counted);
  });
});
