import { LEVEL_COUNT, levelIndex, levelIndexesOf } from '@outcomes/contracts';
import { campaignKeyOf, fortnightOf } from '@outcomes/persistence';
import { assessEvidence, seededRng, TEXT_BINS, type EvidenceCounts } from '@outcomes/statistics';
import { generateEvidence, type EvidenceWorld } from '@outcomes/statistics/testing';
import { inForm } from '@outcomes/testing';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { isMatured, strataOf } from '../../test/strata-of';
import { EVIDENCE_DESIGN } from './evidence-design';
import { maturesOn } from './matured-fortnights';

const NEVER = FIRST_SEND_DAY + 10_000;
const NOT_OF_TEXT = (['weekday', 'daypart', 'sequence_step', 'channel'] as const).flatMap(levelIndexesOf);

const world: EvidenceWorld = {
  copy: 'mixed',
  campaignSd: 0.4,
  textSd: 0.3,
  days: 112,
  sendsPerDay: 60,
  campaigns: 10,
  secondChannel: 0.3,
  effects: { 'phrase1.0': 1, 'tone.4': 0.9 },
};
const sent = messagesOf(generateEvidence(world, 7));
const CAMPAIGNS_SENT = new Set(sent.map(({ campaignId }) => campaignId));
const CAMPAIGNS = CAMPAIGNS_SENT.size;

/** What the statistics take, counted in plain loops; campaigns by first matured fortnight, then by key. */
function countsOf(messages: readonly SentMessage[], observedUntil = NEVER): EvidenceCounts[] {
  const matured = messages.filter((message) => isMatured(message, observedUntil));
  const byCampaign = Map.groupBy(messages, ({ campaignId }) => campaignId);
  const first = (id: string | null) =>
    Math.min(...matured.filter(({ campaignId }) => campaignId === id).map(({ day }) => fortnightOf(day)));
  return [...byCampaign.keys()]
    .filter((id) => first(id) < Infinity)
    .sort((a, b) => first(a) - first(b) || campaignKeyOf(a) - campaignKeyOf(b))
    .map((id, campaign) => {
      const own = byCampaign.get(id) ?? [];
      const bins = [new Float64Array(LEVEL_COUNT * TEXT_BINS), new Float64Array(LEVEL_COUNT * TEXT_BINS)];
      const texts = [new Map<number, number>(), new Map<number, number>()];
      for (const { textId, subjectId = textId, levels } of own) {
        for (const [way, id] of [textId, subjectId].entries()) {
          texts[way]?.set(id, (texts[way].get(id) ?? 0) + 1);
          for (const level of levels) {
            if (!NOT_OF_TEXT.includes(level)) bins[way]![level * TEXT_BINS + (id % TEXT_BINS)]! += 1;
          }
        }
      }
      return {
        campaign,
        // Cells of one key are added.
        cells: own
          .filter((message) => isMatured(message, observedUntil))
          .map(({ day, step, position, channel, levels, isReply }) => ({
            ...{ fortnight: fortnightOf(day), step, position, channel, n: 1, y: isReply ? 1 : 0, levels },
            levelN: levels.map(() => 1),
            levelY: levels.map(() => (isReply ? 1 : 0)),
          })),
        bins: Float64Array.from(bins.flatMap((ofWay) => [...ofWay])),
        texts: texts.map((ofWay) => ({ ids: [...ofWay.keys()], n: [...ofWay.values()] })),
      };
    });
}

const bytes = (value: unknown) => JSON.stringify(value);

describe('the design', () => {
  it('has the 51 codes, each a level of its own dimension', () => {
    expect(EVIDENCE_DESIGN.codes).toHaveLength(51);
    expect(EVIDENCE_DESIGN.width).toBe(LEVEL_COUNT);
    expect(EVIDENCE_DESIGN.codes.find(({ code }) => code === 'TA-1')).toEqual({
      code: 'TA-1',
      dimension: 'tone',
      level: levelIndex('tone', 'direct'),
    });
  });

  it('tells timing, steps and channels from texts', () => {
    const kinds = EVIDENCE_DESIGN.dimensions.filter(({ kind }) => kind !== 'text');
    expect(kinds.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'weekday: weekday',
      'daypart: daypart',
      'sequence_step: step',
      'channel: channel',
    ]);
  });
});

describe('evidence from the packed counts of campaigns', () => {
  it('is what the statistics make of the same messages, counted otherwise', async () => {
    const { assessments } = await new StoredCampaigns(sent).run(NEVER);
    const expected = assessEvidence(EVIDENCE_DESIGN, countsOf(sent));
    expect(expected.assessments.filter(({ tier }) => tier !== null).length).toBeGreaterThan(0);
    expect(bytes(assessments)).toBe(bytes(expected.assessments));
  });

  it('takes a fortnight once it has matured as a whole, channel by channel', async () => {
    const stored = new StoredCampaigns(sent);
    const messagesOn = async (day: number) => {
      const { assessments } = await stored.run(day);
      return assessments.reduce((most, { n, nOther }) => Math.max(most, n + nOther), 0);
    };
    const fortnight = fortnightOf(FIRST_SEND_DAY);
    const ofFirst = (channel: number) =>
      sent.filter((one) => fortnightOf(one.day) === fortnight && one.channel === channel).length;
    expect(maturesOn(fortnight, 0)).toBe(FIRST_SEND_DAY + 13 + 14);
    expect(await messagesOn(FIRST_SEND_DAY + 13 + 13)).toBe(0);
    expect(await messagesOn(FIRST_SEND_DAY + 13 + 14)).toBe(ofFirst(0));
    expect(await messagesOn(FIRST_SEND_DAY + 13 + 20)).toBe(ofFirst(0));
    expect(await messagesOn(FIRST_SEND_DAY + 13 + 21)).toBe(ofFirst(0) + ofFirst(1));
  });

  it('never claims a step, and compares channels among first messages', async () => {
    const { assessments } = await new StoredCampaigns(sent).run(NEVER);
    for (const own of assessments.filter(({ dimension }) => dimension === 'sequence_step'))
      expect([own.tier, own.eligible]).toEqual([null, false]);
    const channel = assessments.find(({ code }) => code === 'CH-1');
    expect(channel?.n).toBe(sent.filter((one) => one.channel === 0 && one.step === 0).length);
  });

  it('leaves variants to their campaigns', async () => {
    const { variants } = await new StoredCampaigns(sent).run(NEVER);
    const total = variants.reduce((sum, { n }) => sum + n, 0);
    expect(total).toBe(sent.length);
    expect(new Set(variants.map(({ campaignId }) => campaignId)).size).toBe(CAMPAIGNS);
  });
});

describe('evidence that is kept between runs', () => {
  it('gives the same bytes as evidence from scratch, whatever happened in between', async () => {
    const rng = seededRng(3);
    const kept = new StoredCampaigns();
    const fresh = new StoredCampaigns();
    let known: SentMessage[] = [];
    const step = inForm(10, 5);
    for (let day = 0; day < 150; day += step) {
      const today = FIRST_SEND_DAY + day;
      const news = sent.filter((message) => message.day > today - step && message.day <= today);
      const gone = known.filter(() => rng.next() < 0.002);
      for (const stored of [kept, fresh]) {
        stored.send(news);
        stored.erase(gone);
      }
      known = [...known, ...news].filter((message) => !gone.includes(message));
      fresh.forget();
      // Erasing the newest messages takes the day back up to which outcomes are known.
      const until = today - (rng.next() < 0.2 ? 20 : 0);
      const [one, other] = [await kept.run(until), await fresh.run(until)];
      expect(bytes(one)).toBe(bytes(other));
    }
    expect(kept.asked.rows).toBeLessThan(fresh.asked.rows);
  }, 120_000);

  it('reads the counts of a campaign again only after they, or its matured fortnights, changed', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(NEVER);
    expect(stored.asked.rows).toBe(CAMPAIGNS);
    await stored.run(NEVER + 1);
    expect(stored.asked.rows).toBe(CAMPAIGNS);
    stored.send([{ ...(sent[0] as SentMessage), isReply: false }]);
    await stored.run(NEVER);
    expect(stored.asked.rows).toBe(CAMPAIGNS + 1);
    await stored.run(FIRST_SEND_DAY + 60);
    expect(stored.asked.rows).toBeGreaterThan(CAMPAIGNS + 1);
  });

  it('is the same bytes as if an erased message had never been sent', async () => {
    const [gone, left] = [sent.slice(100, 400), [...sent.slice(0, 100), ...sent.slice(400)]];
    const erased = new StoredCampaigns(sent);
    await erased.run(NEVER);
    erased.erase(gone);
    const never = new StoredCampaigns(left);
    expect(bytes(await erased.run(NEVER))).toBe(bytes(await never.run(NEVER)));
    expect(erased.keptBytes).toEqual(never.keptBytes);
  });

  it('goes with a campaign that has no messages any more', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(NEVER);
    stored.erase(sent.filter(({ campaignId }) => campaignId === 'campaign 3'));
    await stored.run(NEVER);
    expect(stored.keptBytes.map(([campaign]) => campaign)).not.toContain(campaignKeyOf('campaign 3'));
    expect(stored.keptBytes).toHaveLength(CAMPAIGNS - 1);
  });

  it('may be any part of it: a run keeps no more than it has room for', async () => {
    const [all, none, some] = [sent, sent, sent].map((messages) => new StoredCampaigns(messages));
    const expected = bytes(await all?.run(NEVER));
    expect(bytes(await none?.run(NEVER, 0))).toBe(expected);
    expect(none?.keptBytes).toEqual([]);
    await some?.run(NEVER, 1);
    expect(some?.keptBytes).toHaveLength(1);
    expect(bytes(await some?.run(NEVER))).toBe(expected);
    expect(some?.keptBytes).toEqual(all?.keptBytes);
  });
});

describe('companions of stronger claims', () => {
  const companySent = messagesOf(
    generateEvidence({ ...world, copy: 'message', companion: 0.6, sendsPerDay: 120, campaignSd: 0 }, 5),
  );
  const stored = new StoredCampaigns(companySent);
  const firstOf = (id: string | null) =>
    fortnightOf(companySent.find(({ campaignId }) => campaignId === id)?.day ?? 0);

  it('are counted once per pair and campaign, until the campaign changes', async () => {
    const { assessments } = await stored.run(NEVER);
    expect(assessments.find(({ code }) => code === 'TA-5')?.tier).toBe('confirmed');
    const first = stored.asked.strata.length;
    expect(first).toBeGreaterThan(0);
    expect(new Set(stored.asked.strata).size).toBe(first);
    const again = await stored.run(NEVER);
    expect(bytes(again.assessments)).toBe(bytes(assessments));
    expect(stored.asked.strata).toHaveLength(first);
    stored.forgetEvidence();
    const anew = await stored.run(NEVER);
    expect(bytes(anew.assessments)).toBe(bytes(assessments));
    expect(stored.asked.strata).toHaveLength(first);
    const [message] = sent as [SentMessage];
    stored.send([message]);
    await stored.run(NEVER);
    const asked = new Set(stored.asked.strata.slice(first).map((name) => name.split(' ').slice(2).join(' ')));
    expect([...asked]).toEqual([message.campaignId]);
  });

  it('are what the statistics make of strata that were counted otherwise', async () => {
    const counts = countsOf(companySent);
    const order = [...new Set(companySent.map(({ campaignId }) => campaignId))].sort(
      (a, b) => firstOf(a) - firstOf(b) || campaignKeyOf(a) - campaignKeyOf(b),
    );
    const keys = order.map((id) => campaignKeyOf(id));
    const { pairs } = assessEvidence(EVIDENCE_DESIGN, counts);
    const companions = pairs.map((pair) => ({
      ...pair,
      strata: strataOf(companySent, pair, NEVER).map((stratum) => ({
        ...stratum,
        campaign: keys.indexOf(stratum.campaign),
      })),
    }));
    const { assessments } = await new StoredCampaigns(companySent).run(NEVER);
    expect(bytes(assessments)).toBe(
      bytes(assessEvidence(EVIDENCE_DESIGN, counts, { companions }).assessments),
    );
  });

  it('are not claimed for what they keep company with', async () => {
    const { assessments } = await stored.run(NEVER);
    const question = assessments.find(({ code }) => code === 'SF-1');
    expect(question).toMatchObject({ tier: null, reason: 'goes_with', goesWith: 'TA-5' });
  });
});

describe('companies of an unusual shape', () => {
  const checked = async (messages: readonly SentMessage[]) => {
    const stored = new StoredCampaigns(messages);
    const findings = await stored.run(NEVER);
    expect(bytes(await stored.run(NEVER))).toBe(bytes(findings));
    expect(findings.assessments).toHaveLength(51);
    const values = findings.assessments.flatMap((own) =>
      Object.entries(own).map(([name, value]) => [`${own.code} ${name}`, value] as const),
    );
    expect(values.filter(([, value]) => Number.isNaN(value))).toEqual([]);
    return findings;
  };

  it('without any message', async () => {
    const { assessments, variants } = await checked([]);
    expect(new Set(assessments.map(({ reason }) => reason))).toEqual(new Set(['no_data']));
    expect(variants).toEqual([]);
  });

  it('without campaigns: all messages are one', async () => {
    const { assessments } = await checked(sent.map((message) => ({ ...message, campaignId: null })));
    expect(Math.max(...assessments.map(({ campaigns }) => campaigns))).toBe(1);
  });

  const tiny = inForm(500, 3_000);
  it(`of ${tiny} tiny campaigns`, async () => {
    const messages = sent
      .slice(0, 2 * tiny)
      .map((message, i) => ({ ...message, campaignId: `tiny ${i % tiny}` }));
    const { variants } = await checked(messages);
    expect(variants.length).toBeGreaterThanOrEqual(tiny);
  });

  it('of a campaign with a text of its own for each message', async () => {
    const messages = sent.map((message, i) => ({ ...message, campaignId: 'one', textId: i * 7_919 }));
    const { assessments } = await checked(messages);
    expect(Math.max(...assessments.map(({ textsWith }) => textsWith))).toBeGreaterThan(40);
  });

  it('of bodies and subjects that are spread otherwise', async () => {
    // Each campaign has one body, and two subjects for the two halves of its messages.
    const campaigns = new Map([...CAMPAIGNS_SENT].map((id, at) => [id, at]));
    const messages = sent.map((message, i) => {
      const textId = (campaigns.get(message.campaignId) ?? 0) * 31;
      return { ...message, textId, subjectId: 7 * textId + (i % 2) };
    });
    const found = await checked(messages);
    const byBody = await checked(
      messages.map(({ textId, ...message }) => ({ ...message, textId, subjectId: textId })),
    );
    expect(found).not.toEqual(byBody);
  });

  it('of subjects that all campaigns share', async () => {
    const messages = sent.map((message, i) => ({ ...message, textId: i * 7_919, subjectId: i % 4 }));
    const { assessments } = await checked(messages);
    // One family, and of its subjects four at most on either side, however many bodies there are.
    const ofText = assessments.filter(({ dimension }) => dimension === 'tone');
    expect(Math.max(...ofText.map(({ textsWith }) => textsWith))).toBeLessThanOrEqual(4);
  });

  it('of texts that all campaigns share', async () => {
    const messages = sent.map((message, i) => ({ ...message, textId: i % 4 }));
    const { assessments } = await checked(messages);
    // Campaigns that share texts are one: what they have in common is not seen twice.
    const ofText = assessments.filter(({ dimension }) => dimension === 'tone');
    expect(Math.max(...ofText.map(({ textsWith }) => textsWith))).toBeLessThanOrEqual(4);
  });
});
