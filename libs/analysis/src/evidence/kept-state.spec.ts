import { generateEvidence } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf, StoredCampaigns } from '../../test/stored-campaigns';
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

  it('may be lost', async () => {
    const stored = new StoredCampaigns(sent);
    await stored.run(early);
    stored.lose('campaign 3');
    expect(bytes(await stored.run(late))).toBe(bytes(await new StoredCampaigns(sent).run(late)));
  });
});
