import { DAY_MS } from '@outcomes/contracts';
import { OptOutServices } from './opt-out-company';

const HOUR_MS = DAY_MS / 24;
/** Midnight of a Thursday in Brisbane, which is ten hours ahead of UTC throughout the year. */
const MIDNIGHT = Date.parse('2026-03-12T00:00:00+10:00');
const MESSAGES = 300;
const REPLIES = 15;

/** A moment as a clock so many hours ahead of UTC has it. */
const written = (at: number, hours: number) => {
  const sign = hours < 0 ? '-' : '+';
  const offset = hours === 0 ? 'Z' : `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`;
  return new Date(at + hours * HOUR_MS).toISOString().replace('Z', offset);
};

/**
 * Three hours of messages, some answered four hours later or sooner and some bounced at once, as somebody with such a clock
 * tells of it.
 */
const morning = (hours: number, from = 9, answeredAfter = 4) =>
  Array.from({ length: MESSAGES }, (_, n) => {
    const sentAt = MIDNIGHT + from * HOUR_MS + (n * 3 * HOUR_MS) / MESSAGES;
    const isReply = n % (MESSAGES / REPLIES) === 0;
    const isBounce = n % 10 === 5;
    return {
      ...{ channel: 'email', sequence_step: 0, recipient_id: `person-${n}`, recipient_position: 'VP Sales' },
      ...(isReply || isBounce ? { outcome: isReply ? 'responded' : 'bounced' } : { fact: 'sent' }),
      sent_at: written(sentAt, hours),
      outcome_at: written(isReply ? sentAt + answeredAfter * HOUR_MS : sentAt, hours),
      metadata: { campaign_id: 'launch' },
    };
  });

describe('the same morning, told by clocks of different zones', () => {
  let services: OptOutServices;
  const arms = new Map<string, { posterior_mean: number; effective_n: number; observations: number }>();

  beforeAll(async () => {
    services = await OptOutServices.start();
    services.now = MIDNIGHT + 18 * HOUR_MS;
    for (const [name, hours, timeZone] of [
      ['in UTC, of a company in Brisbane', 0, 'Australia/Brisbane'],
      ['in the time of Brisbane', 10, 'UTC'],
      ['in UTC', 0, 'UTC'],
      ['in the time of Los Angeles', -7, 'UTC'],
    ] as const) {
      const scope = await services.newCompany();
      await services.database.query('UPDATE companies SET time_zone = $2 WHERE company_id = $1', [
        scope.companyId,
        timeZone,
      ]);
      await services.send(scope, morning(hours));
      await services.process(scope);
      await services.analyse(scope);
      const { arms: found } = await services.answers.answer('BanditState', scope, {});
      const [arm] = found.filter(({ channel, position }) => channel === 'email' && position === 'vp');
      if (arm) arms.set(name, arm);
    }
  }, 120_000);
  afterAll(() => services.stop());

  it('gives the same rate where the clock of the sender is known either way', () => {
    const [company, sender] = [...arms.values()];
    expect(sender).toEqual(company);
  });

  it('gives about the same rate however it is written', () => {
    const [first, ...others] = [...arms.values()];
    expect(others).toHaveLength(3);
    // Mutation: hours by the sender's clock beside an end by the company's.
    for (const { posterior_mean } of others)
      expect(Math.abs(posterior_mean / (first?.posterior_mean ?? 0) - 1)).toBeLessThan(0.1);
  });

  it('counts every message in the answers about its campaign, before the day has begun in UTC', async () => {
    const scope = await services.newCompany();
    // Until nine in the morning, which is the evening before in UTC.
    await services.send(scope, morning(10, 5, 1));
    await services.database.query(
      `INSERT INTO webhook_endpoints (company_id, endpoint_id, url, types, signing_secret, created_at)
       VALUES ($1, 'whk_' || gen_random_uuid(), 'https://hooks.example.com/', '{campaign.critical}', '\\x00', now())`,
      [scope.companyId],
    );
    await services.process(scope);
    await services.analyse(scope);
    // One in ten bounced, of which nobody is told where the run ends before its last day.
    expect(
      await services.database.query('SELECT type FROM webhook_messages WHERE company_id = $1', [
        scope.companyId,
      ]),
    ).toEqual([{ type: 'campaign.critical' }]);
    const health = await services.answers.answer('CampaignHealth', scope, { campaign_id: 'launch' });
    expect(health).toMatchObject({ bounce_rate: { n: MESSAGES }, unique_recipients: MESSAGES });
    expect(health.window.to).toBe('2026-03-13T00:00:00.000Z');
    const all = await services.answers.answer('CampaignHealth', scope, {});
    expect(all.campaigns.map(({ campaign_id }) => campaign_id)).toEqual(['launch']);
  });
});
