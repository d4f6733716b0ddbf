import { likeliestCampaigns } from './likely-campaigns';

const known = [
  { campaignId: 'spring-launch', lastDay: '2026-01-01' },
  { campaignId: 'Spring launch EMEA', lastDay: '2026-01-02' },
  { campaignId: 'winter-renewals', lastDay: '2026-01-30' },
  { campaignId: 'q3-churned', lastDay: '2026-01-20' },
  { campaignId: '東京-秋', lastDay: '2025-01-20' },
];
const likeliest = (asked: string, limit = 10) => likeliestCampaigns(asked, known, limit);

describe('what campaign was meant', () => {
  it.each([
    ['SPRING LAUNCH', 'spring-launch'],
    ['Spring_Launch', 'spring-launch'],
    ['emea', 'Spring launch EMEA'],
    ['spring-lanuch', 'spring-launch'],
    ['sprng launch', 'spring-launch'],
    ['winter renewal', 'winter-renewals'],
    ['q3 churnd', 'q3-churned'],
    ['東京 秋', '東京-秋'],
  ])('%s is %s', (asked, meant) => {
    expect(likeliest(asked)[0]).toBe(meant);
  });

  it('is anybody’s guess where nothing is alike: the most recent first', () => {
    const recent = ['winter-renewals', 'q3-churned', 'Spring launch EMEA', 'spring-launch', '東京-秋'];
    expect(likeliest('zzz')).toEqual(recent);
    expect(likeliest('!!!')).toEqual(recent);
    expect(likeliest('zzz', 2)).toEqual(recent.slice(0, 2));
    expect(likeliestCampaigns('any', [], 3)).toEqual([]);
  });
});
