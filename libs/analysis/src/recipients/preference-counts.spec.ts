import { CHANNELS, LEVEL_COUNT, POSITIONS } from '@outcomes/contracts';
import { campaignKeyOf } from '@outcomes/persistence';
import fc from 'fast-check';
import { addLevelsOf, IndustryDay, IndustryDayWriter, type IndustryMessages } from './industry-day';
import { preferenceCounts } from './preference-counts';

const EMAIL = CHANNELS.indexOf('email');
const LINKEDIN = CHANNELS.indexOf('linkedin');
const dayOf = (messages: readonly IndustryMessages[]) => {
  const writer = new IndustryDayWriter();
  for (const one of messages) writer.add(one);
  return writer.finish();
};
const sent = (parts: Partial<IndustryMessages>): IndustryMessages => ({
  ...{ campaignId: 'spring', industry: 'retail', channel: EMAIL, step: 0, position: 0 },
  ...{ answered: false, messages: 1, levels: '{}' },
  ...parts,
});
const answered = (industry: string, replies: number, more = 0, channel = EMAIL) => [
  sent({ industry, channel, answered: true, messages: replies }),
  ...(more > 0 ? [sent({ industry, channel, messages: more })] : []),
];

describe('messages by industry', () => {
  const message = fc.record({
    campaignId: fc.constantFrom('spring', 'autumn', null),
    industry: fc.constantFrom('banking', 'Größe & co', 'retail', null),
    channel: fc.constantFrom(EMAIL, LINKEDIN),
    step: fc.integer({ min: 0, max: 300 }),
    position: fc.integer({ min: 0, max: 10 }),
    answered: fc.boolean(),
    levels: fc.uniqueArray(fc.integer({ min: 0, max: LEVEL_COUNT - 1 }), { maxLength: 6 }),
  });

  it('are kept whole, whatever they are and in whichever order they come', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (drawn) => {
        const messages = drawn.map((one) => sent({ ...one, levels: `{${one.levels.join(',')}}` }));
        const encoded = dayOf(messages);
        expect(dayOf(messages.toReversed())).toEqual(encoded);
        const day = new IndustryDay(encoded);
        expect([...day.messages()]).toEqual(
          CHANNELS.map((_, channel) => drawn.filter((one) => one.channel === channel).length),
        );
        const known = Map.groupBy(drawn, ({ industry }) => industry ?? '');
        const totals = (of: typeof drawn, counts: (one: (typeof drawn)[number]) => boolean) =>
          CHANNELS.map((_, channel) => of.filter((one) => one.channel === channel && counts(one)).length);
        expect(
          [...day.industries()].map(({ industry, messages: n, replies: y }) => [industry, [...n], [...y]]),
        ).toEqual(
          [...known]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([industry, of]) => [industry, totals(of, () => true), totals(of, (one) => one.answered)]),
        );
        const levels = (of: typeof drawn) => {
          const sums = new Int32Array(LEVEL_COUNT);
          for (const one of of) for (const level of one.levels) sums[level] = (sums[level] ?? 0) + 1;
          return [...sums];
        };
        const cells = Array.from(day.cells(), (stored) => {
          const { levels: _, ...cell } = stored;
          const [n, y] = [new Int32Array(LEVEL_COUNT), new Int32Array(LEVEL_COUNT)];
          addLevelsOf(stored, { n, y });
          return JSON.stringify({ ...cell, n: [...n], y: [...y] });
        });
        const strata = Map.groupBy(
          drawn.filter(({ campaignId }) => campaignId !== null),
          ({ industry, campaignId, channel, step, position }) =>
            JSON.stringify({
              ...{ industry: industry ?? '', campaign: campaignKeyOf(campaignId) },
              ...{ channel, step, position },
            }),
        );
        expect(cells.sort()).toEqual(
          [...strata]
            .map(([cell, of]) =>
              JSON.stringify({
                ...JSON.parse(cell),
                replies: of.filter((one) => one.answered).length,
                n: levels(of),
                y: levels(of.filter((one) => one.answered)),
              }),
            )
            .sort(),
        );
      }),
      { seed: 6, numRuns: 60 },
    );
  });

  it('reads the levels of many messages at once', () => {
    const day = new IndustryDay(dayOf([sent({ answered: true, messages: 3, levels: '{3,17}{3}{}' })]));
    const [n, y] = [new Int32Array(LEVEL_COUNT), new Int32Array(LEVEL_COUNT)];
    for (const cell of day.cells()) addLevelsOf(cell, { n, y });
    for (const counts of [n, y])
      expect([counts[3], counts[17], counts.reduce((a, b) => a + b)]).toEqual([2, 1, 3]);
  });
});

describe('the industries that are told apart', () => {
  const day = (messages: readonly IndustryMessages[], channels = [EMAIL, LINKEDIN]) => ({
    day: new IndustryDay(dayOf(messages)),
    channels,
  });
  const namesOf = (days: Parameters<typeof preferenceCounts>[0]) => [
    ...new Set(preferenceCounts(days).industryCounts.map(({ group }) => group)),
  ];

  it('have 20 replies, on all days and channels that have matured', () => {
    expect(namesOf([day([...answered('few', 19, 500), ...answered('enough', 20)])])).toEqual(['enough']);
    const spread = [
      day([...answered('retail', 8), ...answered('retail', 4, 0, LINKEDIN)]),
      day(answered('retail', 8)),
    ];
    expect(namesOf(spread)).toEqual(['retail']);
    expect(namesOf(spread.map((one) => ({ ...one, channels: [EMAIL] })))).toEqual([]);
  });

  it('are the twelve with the most messages, equally many in the order of their names', () => {
    const large = Array.from({ length: 11 }, (_, index) => `large ${String.fromCharCode(107 - index)}`);
    const days = [
      day(['beta', 'gamma', ...large].flatMap((name, index) => answered(name, 21, index))),
      day(answered('alpha', 21, 1).concat(answered('gamma', 1))),
    ];
    // 22 messages of alpha, 21 of beta, 23 of gamma, and from 23 on of the others.
    expect(namesOf(days)).toEqual(['gamma', ...large.toSorted()]);
    const equal = [day([...answered('beta', 21), ...answered('gamma', 21)]), day(answered('alpha', 21))];
    expect(namesOf([...equal, day(large.flatMap((name) => answered(name, 30)))])).toEqual([
      'alpha',
      ...large.toSorted(),
    ]);
  });

  it('are counted by campaign, channel, step and position over the days, in that order', () => {
    const cell = (channel: number, step: number, position: number, replies: number) =>
      sent({ channel, step, position, answered: true, messages: replies, levels: '{5}'.repeat(replies) });
    const banking = { ...cell(LINKEDIN, 0, 1, 20), industry: 'banking' };
    const silent = sent({ position: 3, messages: 2, levels: '{5}{5}' });
    const days = [
      day([cell(LINKEDIN, 0, 1, 9), banking, silent]),
      ...[cell(EMAIL, 1, 0, 20), cell(EMAIL, 0, 2, 7), cell(EMAIL, 0, 1, 6)].map((one) => day([one])),
      // LinkedIn's messages of this day have not matured.
      day([cell(EMAIL, 0, 1, 6), cell(LINKEDIN, 0, 1, 50)], [EMAIL]),
      day([{ ...sent({ position: 1, messages: 4, levels: '{5}'.repeat(4) }) }]),
      day([
        { ...cell(EMAIL, 0, 1, 3), campaignId: 'autumn' },
        { ...cell(EMAIL, 0, 1, 8), campaignId: null },
      ]),
    ];
    const [spring, autumn] = [campaignKeyOf('spring'), campaignKeyOf('autumn')];
    const lines = preferenceCounts(days).industryCounts.map(
      ({ group, campaign, channel, step, position, n, y }) => [
        ...[group, campaign, channel, step, position, n[5], y[5]],
      ],
    );
    // What nobody answered compares nothing, and neither does what names no campaign.
    const retail = [
      ['retail', spring, EMAIL, 0, 1, 16, 12],
      ['retail', spring, EMAIL, 0, 2, 7, 7],
      ['retail', spring, EMAIL, 1, 0, 20, 20],
      ['retail', spring, LINKEDIN, 0, 1, 9, 9],
    ];
    const other = [['retail', autumn, EMAIL, 0, 1, 3, 3]];
    expect(lines).toEqual([
      ['banking', spring, LINKEDIN, 0, 1, 20, 20],
      ...(spring < autumn ? [...retail, ...other] : [...other, ...retail]),
    ]);
  });
});

describe('the positions that are told apart', () => {
  it('are those that are known and have 20 replies within campaigns, whatever their industries', () => {
    const to = (position: number, replies: number, more: Partial<IndustryMessages> = {}) =>
      sent({ position, answered: true, messages: replies, levels: '{5}'.repeat(replies), ...more });
    const day = new IndustryDay(
      dayOf([
        ...[to(0, 50), to(1, 12), to(1, 8, { industry: null }), to(2, 19), to(2, 9, { campaignId: null })],
        ...[to(3, 30), sent({ position: 3, messages: 2, industry: 'banking', levels: '{5}{5}' })],
      ]),
    );
    expect(
      preferenceCounts([{ day, channels: [EMAIL] }]).positionCounts.map(({ group, position, n, y }) => [
        group,
        position,
        n[5],
        y[5],
      ]),
    ).toEqual(
      [
        [POSITIONS[1], 1, 20, 20],
        [POSITIONS[3], 3, 32, 30],
      ].sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
    );
  });
});
