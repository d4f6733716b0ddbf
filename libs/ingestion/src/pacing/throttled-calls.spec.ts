import { ThrottledCalls } from './throttled-calls';

describe('calls that are spared', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are those within a pause but one at its end, company by company, until it is stopped', () => {
    const calls: string[] = [];
    const throttled = new ThrottledCalls(100, (companyId) => calls.push(companyId));
    for (const companyId of ['a', 'b', 'a', 'a']) throttled.request(companyId);
    expect(calls).toEqual(['a', 'b']);
    jest.advanceTimersByTime(100);
    expect(calls).toEqual(['a', 'b', 'a']);
    throttled.request('c');
    throttled.request('a');
    // Only what was asked for and has not gone out is left to whoever stops it.
    expect(throttled.stop()).toEqual(['a']);
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(calls).toEqual(['a', 'b', 'a', 'c']);
    throttled.request('a');
    expect(calls).toEqual(['a', 'b', 'a', 'c', 'a']);
  });
});
