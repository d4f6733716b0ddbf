import { likeliestCampaigns, shownAs } from './likely-campaigns';

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

  it('is none that is made of punctuation, nor anything that is', () => {
    const nameless = [{ campaignId: '!!!', lastDay: '2026-01-01' }, ...known];
    // Without a letter it is a part of everything, which tells nothing: the most recent come first.
    expect(likeliestCampaigns('spring', nameless, 10).at(-2)).toBe('!!!');
    const recent = { campaignId: '!!!', lastDay: '2026-02-01' };
    expect(likeliestCampaigns('???', [...known, recent], 2)).toEqual(['!!!', 'winter-renewals']);
  });

  it('is first the one that answers show by the id, which they leave without hidden characters', () => {
    const two = [
      { campaignId: 'spring!', lastDay: '2026-02-01' },
      { campaignId: 'sp\u200bring', lastDay: '2026-01-01' },
      { campaignId: '\u200b!!!', lastDay: '2025-01-01' },
    ];
    expect(likeliestCampaigns('spring', two, 1)).toEqual(['sp\u200bring']);
    expect(likeliestCampaigns('!!!', two, 1)).toEqual(['\u200b!!!']);
    expect(shownAs('spring', ['spring!', 'sp\u200bring'])).toBe('sp\u200bring');
    expect(shownAs('spring', ['spring!', 'springs'])).toBeUndefined();
  });

  it('is the same but for punctuation before it is a part of another', () => {
    const two = [
      { campaignId: 'xspringlaunchx', lastDay: '2026-02-01' },
      { campaignId: 'spring-launch', lastDay: '2026-01-01' },
    ];
    expect(likeliestCampaigns('springlaunch', two, 1)).toEqual(['spring-launch']);
  });

  it('is by spelling where more than a third of the pairs of letters is shared', () => {
    // Of abcde and abxyz one pair in four is shared: too little. Of abcde and abcxy two in four.
    const two = [
      { campaignId: 'abxyz', lastDay: '2026-01-01' },
      { campaignId: 'abcxy', lastDay: '2025-01-01' },
      { campaignId: 'recent', lastDay: '2026-01-02' },
    ];
    expect(likeliestCampaigns('abcde', two, 3)).toEqual(['abcxy', 'recent', 'abxyz']);
  });

  it('stands in a fixed order where two are alike and sent on one day', () => {
    const day = { lastDay: '2026-01-01' };
    const two = [
      { campaignId: 'b', ...day },
      { campaignId: 'a', ...day },
    ];
    expect(likeliestCampaigns('zzz', two, 2)).toEqual(['a', 'b']);
  });
});
