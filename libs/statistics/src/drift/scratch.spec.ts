import { seededRng } from '../random';
import { channelWorld } from '../testing';
import { dayVariance, LARGEST_DAY_DEVIATION, weighDays } from './day-effect';
import { Scratch } from './scratch';
import { sendDays } from './send-days';
import { windowResiduals, type WindowResiduals } from './window-residuals';

const sent = sendDays(channelWorld({ days: 200, sendsPerDay: 80 }, seededRng(7)).counts, 0, 199);

describe('windows that stand in the same place one after the other', () => {
  it('are those that are made anew, whichever was there before', () => {
    const [own, weighed] = [new Scratch(), new Scratch()];
    for (const span of [
      [0, 150],
      [20, 40],
      [3, 200],
      [10, 199],
    ] as const) {
      const of = { first: span[0], end: span[1] };
      const anew = windowResiduals(sent, of) as WindowResiduals;
      const again = windowResiduals(sent, of, own) as WindowResiduals;
      expect(again).toStrictEqual(anew);
      expect(again.start.at(-1)).toBe(again.residual.length);
      const variance = dayVariance(anew);
      expect(weighDays(again, variance, LARGEST_DAY_DEVIATION, weighed)).toStrictEqual(
        weighDays(anew, variance),
      );
    }
  });

  it('take no memory of their own', () => {
    const scratch = new Scratch();
    const long = windowResiduals(sent, { first: 0, end: 150 }, scratch) as WindowResiduals;
    const short = windowResiduals(sent, { first: 5, end: 90 }, scratch) as WindowResiduals;
    expect(short.residual.buffer).toBe(long.residual.buffer);
    expect(short.campaign.buffer).toBe(long.campaign.buffer);
    expect(short.residual.buffer).not.toBe(short.information.buffer);
  });
});
