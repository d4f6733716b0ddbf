import type { Authenticator, Identity } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import type { Limiter } from '../limiter/limiter.service';
import { PacedRefusals } from '../shares/paced-refusals.service';
import { Strangers } from './strangers.service';

const presented = { authorization: 'Bearer made-up', apiKey: undefined, ip: '192.0.2.1' };
const identity = { keyId: 'known' } as Identity;

describe('callers who may be strangers', () => {
  /** What the directory of keys says, and how often it was asked. */
  const identify = jest.fn<Promise<Identity>, []>();
  const consumeAddress = jest.fn<Promise<Record<string, string>>, [string]>();
  const setHeaders = jest.fn<void, [Record<string, string>]>();
  let isExhausted: boolean;
  let isFamiliar: boolean;
  let strangers: Strangers;
  beforeEach(() => {
    jest.useFakeTimers();
    identify.mockReset().mockResolvedValue(identity);
    consumeAddress.mockReset().mockResolvedValue({ 'RateLimit-Remaining': '0' });
    setHeaders.mockReset();
    isExhausted = true;
    isFamiliar = false;
    const cached = jest.fn<Identity, []>();
    cached.mockReturnValueOnce(identity).mockImplementation(() => {
      throw new AppError('missing_token');
    });
    strangers = new Strangers(
      { identify, identifyCached: cached, isFamiliar: () => isFamiliar } as unknown as Authenticator,
      { isAddressExhausted: () => isExhausted, consumeAddress } as unknown as Limiter,
      new PacedRefusals(),
    );
  });
  afterEach(() => jest.useRealTimers());

  const ask = () => strangers.identify(presented, { setHeaders } as unknown as Exchange);
  const codesOf = async (times: number) => {
    const codes: string[] = [];
    for (let n = 0; n < times; n += 1) {
      codes.push(
        await ask().then(
          () => 'in',
          (error: unknown) => (error as AppError).code,
        ),
      );
    }
    return codes;
  };

  it('are looked up five times a second behind addresses that have used up their window', async () => {
    const five = Array.from({ length: 5 }, () => 'in');
    expect(await codesOf(7)).toEqual([...five, 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(identify).toHaveBeenCalledTimes(5);
    jest.advanceTimersByTime(199);
    expect(await codesOf(1)).toEqual(['RATE_LIMITED']);
    jest.advanceTimersByTime(1);
    expect(await codesOf(2)).toEqual(['in', 'RATE_LIMITED']);
    jest.advanceTimersByTime(60_000);
    // Mutation: look-ups are saved up.
    expect(await codesOf(6)).toEqual([...five, 'RATE_LIMITED']);
  });

  it.each([
    [false, false],
    [true, true],
    [false, true],
  ])(
    'are looked up always where the address is exhausted: %s, and the key familiar: %s',
    async (address, key) => {
      [isExhausted, isFamiliar] = [address, key];
      expect(new Set(await codesOf(20))).toEqual(new Set(['in']));
      expect(consumeAddress).not.toHaveBeenCalled();
    },
  );

  it('pay with the window of their address for what is wrong with what they present, and are told so', async () => {
    identify.mockRejectedValueOnce(new AppError('invalid_token'));
    expect(await codesOf(1)).toEqual(['invalid_token']);
    expect(consumeAddress.mock.calls).toEqual([['192.0.2.1']]);
    expect(setHeaders.mock.calls).toEqual([[{ 'RateLimit-Remaining': '0' }]]);
  });

  it.each([new AppError('SERVICE_UNAVAILABLE'), new Error('a fault')])(
    'pay nothing for our own: %p',
    async (fault) => {
      identify.mockRejectedValueOnce(fault);
      await expect(ask()).rejects.toBe(fault);
      expect(consumeAddress).not.toHaveBeenCalled();
    },
  );

  it('are known without a wait, or have to be looked up', () => {
    expect(strangers.identifyCached(presented)).toBe(identity);
    expect(strangers.identifyCached(presented)).toBeUndefined();
  });
});
