import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import perfHooks from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Management } from './management';

/** As long as a check may take, and as long as a scrape believes its answer. */
const CHECK_MS = 2_000;
const FRESH_MS = 5_000;

const open: Management[] = [];
const managed = () => {
  const management = new Management('outcomes-a-service');
  open.push(management);
  return management;
};
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(open.splice(0).map((management) => management.close()));
});

describe('the metrics of a process', () => {
  const names = (management: Management) => management.registry.getMetricsAsArray().map(({ name }) => name);
  const ofTheLoop = 'nodejs_eventloop_lag_p99_seconds';

  it('are taken from the moment that they can be asked for, and cost nothing where nobody can', async () => {
    const watched = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
    const management = managed();
    expect(names(management)).not.toContain(ofTheLoop);
    expect(watched).not.toHaveBeenCalled();
    await management.listen(0, '127.0.0.1');
    expect(names(management)).toContain(ofTheLoop);
    // Mutation: the library's 10 ms, a hundred looks a second.
    expect(watched.mock.calls).toEqual([[{ resolution: 50 }]]);
  });
});

describe('whether a process is ready, in its metrics', () => {
  const ready = async (management: Management) =>
    /^outcomes_ready\{app="a-service"\} (\d)$/m.exec(await management.registry.metrics())?.[1];
  const now = performance.now.bind(performance);
  const laterBy = (ms: number) => jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);

  it('is what the checks of readyz say', async () => {
    let answer: () => boolean | Promise<boolean> = () => true;
    const management = managed();
    management.addReadinessCheck('postgres', () => answer());
    expect(await ready(management)).toBe('1');
    laterBy(FRESH_MS);
    answer = () => false;
    expect(await ready(management)).toBe('0');
    laterBy(2 * FRESH_MS);
    answer = () => Promise.reject(new Error('away'));
    expect(await ready(management)).toBe('0');
    laterBy(3 * FRESH_MS);
    answer = () => true;
    expect(await ready(management)).toBe('1');
    management.startDraining();
    expect(await ready(management)).toBe('0');
  });

  it('asks a check that does not answer once for all who wait, and no longer than readyz', async () => {
    let asked = 0;
    const management = managed();
    management.addReadinessCheck('postgres', () => {
      asked += 1;
      return new Promise<boolean>(() => undefined);
    });
    const scrapes = Promise.all([ready(management), ready(management), ready(management)]);
    const limited = Promise.race([scrapes, pause(2 * CHECK_MS, undefined, { ref: false })]);
    expect(await limited).toEqual(['0', '0', '0']);
    expect(asked).toBe(1);
  });

  it('does not wait for checks that readyz has just asked', async () => {
    let asked = 0;
    const management = managed();
    management.addReadinessCheck('postgres', () => {
      asked += 1;
      return false;
    });
    await management.listen(0, '127.0.0.1');
    const { server } = management as unknown as { server: Server };
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([answer.status, await ready(management), asked]).toEqual([503, '0', 1]);
  });
});
