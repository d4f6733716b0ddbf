import { serviceConfigSchema, type Logger } from '@outcomes/platform';
import { testRedisPrefix, testRedisUrl, waitUntil } from '@outcomes/testing';
import { isDueEveryDay } from './daily-pattern';
import { QueueProducer } from './queue-producer.service';

describe('the daily schedule', () => {
  let producer: QueueProducer;

  beforeEach(async () => {
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: testRedisUrl(),
      REDIS_PREFIX: testRedisPrefix(),
    });
    const logger = { debug: () => undefined, warn: () => undefined } as unknown as Logger;
    producer = new QueueProducer(config, logger);
    at('00:00');
    await waitUntil('Redis', async () => (await producer.analysesUnderWay()) !== undefined);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await producer.onApplicationShutdown();
  });

  const at = (time: string) => jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`2026-03-05T${time}:00Z`));
  const changed = async (time: string, pattern: string) => {
    at(time);
    return (await producer.ensureDailySchedule(pattern))?.toISOString();
  };

  it('is made up for where it was not there, and not where it stands', async () => {
    expect(await changed('01:30', '0 2 * * *')).toBe('2026-03-04T02:00:00.000Z');
    expect(await changed('01:31', '0 2 * * *')).toBeUndefined();
  });

  it('leaves no day out where its hour is moved across the time of the change', async () => {
    await changed('01:30', '0 2 * * *');
    expect(await changed('01:31', '0 1 * * *')).toBe('2026-03-05T01:00:00.000Z');
  });

  it.each([
    ['to a later hour before it is due', '01:30', '0 3 * * *'],
    ['to a later hour after it was due', '02:30', '0 3 * * *'],
    ['to an earlier hour before that', '00:30', '0 1 * * *'],
    ['to an earlier hour after it was due', '02:30', '0 1 * * *'],
  ])('makes up for nothing where it is moved %s', async (_, time, pattern) => {
    await changed('00:10', '0 2 * * *');
    // Written in another way it is put there anew, due next on the day after, as the run of the day leaves it.
    if (time > '02:00') await changed('02:01', '0 2 * * * ');
    expect(await changed(time, pattern)).toBeUndefined();
  });

  it.each<[string, boolean]>([
    ['0 2 * * *', true],
    ['30 0,12 * * *', true],
    ['0 25 * * *', false],
    ['at two', false],
    ['0 2 * * 1', false],
    ['0 2 * * 1-5', false],
    ['0 2 1-30 * *', false],
    ['0 2 * 1-11 *', false],
  ])('may be "%s": %s', (pattern, isDaily) => {
    expect(isDueEveryDay(pattern)).toBe(isDaily);
  });
});
