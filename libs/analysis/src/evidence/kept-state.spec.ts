import { campaignKeyOf } from '@outcomes/persistence';
import { generateEvidence } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { readEvidence } from './read-evidence';

const NEVER = FIRST_SEND_DAY + 10_000;
const sent = messagesOf(
  generateEvidence(
    {
      ...{ copy: 'mixed', campaignSd: 0.4, textSd: 0.3, days: 112, sendsPerDay: 60, campaigns: 10 },
      ...{ secondChannel: 0.3, effects: { 'phrase1.0': 1, 'tone.4': 0.9 } },
    },
    7,
  ),
);
const bytes = (value: unknown) => JSON.stringify(value);

describe('evidence that was kept of another state', () => {
  const [early, late] = [FIRST_SEND_DAY + 60, FIRST_SEND_DAY + 100];

  it('is not taken for what has matured since, where there is no room to keep that', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(early);
    expect(bytes(await stored.run(late, 0))).toBe(bytes(await new StoredCampaigns(sent).run(late)));
  });

  it('is not taken out of a fold that it is not in: of two runs the one that read first publishes last', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(early);
    const slow = await readEvidence(stored.source(early), early);
    await stored.run(late);
    stored.publish(slow.notes);
    expect(bytes(await stored.run(NEVER))).toBe(bytes(await new StoredCampaigns(sent).run(NEVER)));
  });

  it('is put away while a run from scratch reads, and is the same as if it had been held', async () => {
    const [held, putAway] = [new StoredCampaigns(sent), new StoredCampaigns(sent)];
    putAway.putsAway = true;
    const read = await readEvidence(putAway.source(early), early, 0);
    // All of it stands before anything is published.
    expect(read.notes.campaigns).toEqual([]);
    expect(putAway.keptBytes.length).toBeGreaterThan(0);
    putAway.publish(read.notes);
    const expected = await held.run(early);
    expect(bytes(read.assessments)).toBe(bytes(expected.assessments));
    expect(putAway.keptBytes).toEqual(held.keptBytes);
    // A run that goes on from a fold puts nothing away.
    const later = await readEvidence(putAway.source(late), late);
    expect(later.notes.campaigns.length).toBeGreaterThan(0);
    expect(bytes(later.assessments)).toBe(bytes((await held.run(late)).assessments));
  });

  it('is put away in vain where the run is broken off, and the next one finds the same', async () => {
    const stored = new StoredCampaigns(sent);
    stored.putsAway = true;
    await readEvidence(stored.source(early), early, 0);
    expect(bytes(await stored.run(late))).toBe(bytes(await new StoredCampaigns(sent).run(late)));
  });

  it('goes with its campaign, though no fold knew it', async () => {
    const stored = new StoredCampaigns(sent);
    stored.putsAway = true;
    await readEvidence(stored.source(early), early, 0);
    stored.erase(sent.filter(({ campaignId }) => campaignId === 'campaign 3'));
    await stored.run(early);
    expect(stored.keptBytes.map(([campaign]) => campaign)).not.toContain(campaignKeyOf('campaign 3'));
  });

  it('may be lost', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(early);
    stored.lose('campaign 3');
    expect(bytes(await stored.run(late))).toBe(bytes(await new StoredCampaigns(sent).run(late)));
  });
});
