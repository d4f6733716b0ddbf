import { Installation } from './installation';

interface Created {
  readonly endpointId: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly secret: string;
}

describe('outcomes webhooks', () => {
  let installation: Installation;
  let companyId: string;

  beforeAll(async () => {
    installation = await Installation.join();
    companyId = await installation.addCompany('Told');
  }, 60_000);
  afterAll(() => installation.stop(), 30_000);

  const webhooks = <Result>(...args: string[]) =>
    installation.cli<Result>('webhooks', ...args, '--company', companyId);

  it('makes one, shows its secret once, rotates, lists and removes it, and writes down who did', async () => {
    const made = await webhooks<Created>(
      'create',
      '--url',
      'https://hooks.example.com/in',
      '--types',
      'drift.changed',
    );
    expect(made).toMatchObject({ url: 'https://hooks.example.com/in', types: ['drift.changed'] });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rotated = await webhooks<Created>('rotate', made.endpointId);
    expect(rotated.secret).not.toBe(made.secret);
    const listed = await webhooks<object>('list');
    expect(listed).toMatchObject({ webhooks: [{ endpointId: made.endpointId, disabledAt: null }] });
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    await webhooks('enable', made.endpointId);
    await webhooks('remove', made.endpointId);
    expect(await webhooks('list')).toEqual({ webhooks: [] });
    const log = await installation.database.query<{ action: string }>(
      'SELECT action FROM administration_log WHERE subject = $1 ORDER BY entry_no',
      [made.endpointId],
    );
    expect(log.map(({ action }) => action)).toEqual([
      ...['webhook.create', 'webhook.rotate', 'webhook.enable', 'webhook.remove'],
    ]);
  });

  it('tells what came of a ping, which the worker sends to nobody who is not public', async () => {
    // A name that leads to this machine, on every machine.
    const { endpointId } = await webhooks<Created>('create', '--url', 'https://localhost:8443/');
    const ping = await installation.cliOutcome(
      'webhooks',
      'test',
      endpointId,
      '--company',
      companyId,
      '--json',
    );
    expect([ping.code, JSON.parse(ping.stdout)]).toMatchObject([
      1,
      { type: 'ping', state: 'failed', attempts: 1, status: null, fault: 'TARGET_NOT_PUBLIC' },
    ]);
    const { deliveries } = await webhooks<{ deliveries: unknown[] }>('deliveries', endpointId);
    expect(deliveries).toMatchObject([{ type: 'ping', state: 'failed' }]);
  });

  it.each([
    [['--url', 'http://hooks.example.com/'], 'TARGET_NOT_HTTPS'],
    [['--url', 'https://127.0.0.1/'], 'TARGET_NOT_PUBLIC'],
    [['--url', 'https://hooks.example.com/', '--types', 'everything'], 'There is no type everything'],
  ])('refuses %j in a sentence', async (args, sentence) => {
    const { code, stderr } = await installation.cliOutcome(
      'webhooks',
      'create',
      ...args,
      '--company',
      companyId,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });
});
