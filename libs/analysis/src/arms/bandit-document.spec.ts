import { CHANNELS, POSITIONS, type Channel, type Position } from '@outcomes/contracts';
import { fitRates, widen, type ArmCounts } from '@outcomes/statistics';
import type { ChannelFindings } from '../changes/analyse-channel';
import { banditDocument } from './bandit-document';

const ON = { dataAsOf: new Date('2026-02-01T00:00:00Z'), observedUntil: 20_485 };

const findings = (channel: Channel, arms: Partial<Record<Position, ArmCounts>>, variance: number) =>
  ({
    channel: CHANNELS.indexOf(channel),
    arms: POSITIONS.map((position) => arms[position]),
    dataFrom: 20_000,
    weights: { halfLives: [0, 0, 0, 0, 0, 0, 1] },
    variances: { target: variance, current: variance / 4 },
    look: null,
    campaignSums: [],
  }) as unknown as ChannelFindings;

const documentOf = (channels: readonly ChannelFindings[]) => {
  const sums = channels.flatMap(({ channel, arms }) =>
    arms.flatMap((counts: ArmCounts | undefined, place) =>
      counts === undefined
        ? []
        : [
            {
              ...{ channel: CHANNELS[channel] as Channel, position: POSITIONS[place] as Position },
              ...{ observations: counts.n, replies: counts.y, streamed: 0, immature: 0, lastOutcomeAt: NaN },
            },
          ],
    ),
  );
  return banditDocument(sums, channels, ON);
};

describe('the document of the arms', () => {
  it('keeps what is known of each arm to the last digit, beside what is served of the days to come', () => {
    const counts = { vp: { n: 8e6, y: 480_000 }, manager: { n: 20e6, y: 6e6 } };
    const { arms, known } = documentOf([findings('email', counts, 0.3)]);
    const exact = fitRates([counts.vp, counts.manager]).arms;
    expect(known?.map(({ position }) => position)).toEqual(arms.map(({ position }) => position));
    for (const [place, arm] of arms.entries()) {
      const shape = known?.[place] ?? { alpha: NaN, beta: NaN };
      expect(exact).toContainEqual(expect.objectContaining({ alpha: shape.alpha, beta: shape.beta }));
      expect(widen(shape, 0.3)).toEqual({ alpha: arm.alpha, beta: arm.beta });
    }
  });
});
