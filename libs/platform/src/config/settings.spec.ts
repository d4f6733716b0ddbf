import { z } from 'zod';
import { numberSetting, serviceConfigSchema } from './load-config';
import { settingsHelp, settingsOf } from './settings';

describe('settings of a service', () => {
  it('say what they mean, take, default to, and whether they are required and secret', () => {
    const schema = z
      .object({
        CACHE_TTL_MS: numberSetting('How long answers are kept.', 'milliseconds', { most: 5, fallback: 3 }),
        DATABASE_URL: z.url().meta({ description: 'Postgres.', secret: true }),
        HOSTS: z
          .string()
          .default('')
          .transform((list) => list.split(','))
          .describe('Names.'),
        MODE: z.enum(['on', 'off']).default('off').describe('Which.'),
        SENDER: z.email().optional().describe('Who.'),
        ORIGIN: z
          .union([z.literal(''), z.url()])
          .default('')
          .describe('Where.'),
      })
      .refine(() => true);

    expect(settingsOf(schema)).toEqual([
      {
        name: 'CACHE_TTL_MS',
        description: 'How long answers are kept.',
        values: '1 to 5 milliseconds',
        default: '3',
        isRequired: false,
        isSecret: false,
      },
      {
        name: 'DATABASE_URL',
        description: 'Postgres.',
        values: 'URL',
        isRequired: true,
        isSecret: true,
      },
      { name: 'HOSTS', description: 'Names.', values: 'text', isRequired: false, isSecret: false },
      {
        name: 'MODE',
        description: 'Which.',
        values: 'on, off',
        default: 'off',
        isRequired: false,
        isSecret: false,
      },
      { name: 'SENDER', description: 'Who.', values: 'e-mail address', isRequired: false, isSecret: false },
      { name: 'ORIGIN', description: 'Where.', values: 'URL', isRequired: false, isSecret: false },
    ]);
    expect(settingsHelp(schema)).toContain(
      '  CACHE_TTL_MS\n      How long answers are kept.\n      (1 to 5 milliseconds; default: 3)\n',
    );
    expect(settingsHelp(schema)).toContain('(URL; required; secret)');
  });

  it('keep what a number must be', () => {
    const { shape } = serviceConfigSchema({ port: 1, managementPort: 2 });
    expect(shape.DATABASE_POOL_SIZE.safeParse('0').success).toBe(false);
    expect(shape.DATABASE_POOL_SIZE.safeParse('501').success).toBe(false);
    expect(shape.DATABASE_POOL_SIZE.safeParse('1.5').success).toBe(false);
    expect(shape.DATABASE_POOL_SIZE.parse(undefined)).toBe(10);
    expect(shape.DRAIN_DELAY_MS.parse('0')).toBe(0);
  });
});
