import { createHmac, randomUUID } from 'node:crypto';
import { SecretBox } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil } from '@outcomes/testing';
import type { TestingModule } from '@nestjs/testing';
import { connectAsOwner, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { SECRETS_KEY, startSourcePod } from '../../test/source-pod';
import { isProven } from './delivery-proof';
import { SourceAdministration, type CreatedSource, type NewSource } from './source-administration';
import { SourceDirectory } from './source-directory.service';
import { SourceRepository } from './source.repository';

const DEED = { by: { type: 'operator', id: 'ops' } } as const;
const NOT_FOUND = { code: 'SOURCE_NOT_FOUND' };
const refused = (parameter: string) => ({ code: 'INVALID_PARAMETER', fields: { parameter } });

describe('the sources of a company', () => {
  let fixture: IngestionFixture;
  let owner: Awaited<ReturnType<typeof connectAsOwner>>;
  let pod: TestingModule;
  let scope: TenantScope;
  let sources: SourceAdministration;

  const administration = (key: string) => {
    const database = new TenantDatabase(owner);
    return new SourceAdministration(
      database,
      new SourceRepository(database),
      new SecretBox(key),
      fixture.clock,
    );
  };
  beforeAll(async () => {
    fixture = await ingestionFixture();
    owner = await connectAsOwner(fixture);
    pod = await startSourcePod(fixture);
    sources = administration(SECRETS_KEY);
  });
  afterAll(async () => {
    await pod.close();
    await owner.destroy();
    await fixture.stop();
  });
  beforeEach(async () => {
    fixture.clock.set('2026-06-15T12:00:00Z');
    scope = await fixture.newCompany();
  });

  const stored = ({ companyId }: TenantScope) =>
    fixture.database.query<Record<string, unknown>>('SELECT * FROM sources WHERE company_id = $1', [
      companyId,
    ]);
  const log = ({ companyId }: TenantScope) =>
    fixture.database.query<Record<string, unknown>>(
      `SELECT action, subject, actor_id, details FROM administration_log WHERE company_id = $1 ORDER BY entry_no`,
      [companyId],
    );
  /** What deliveries are judged by now, whatever a pod remembers. */
  const current = async (sourceId: string) => {
    const row = await pod.get(SourceRepository).named(sourceId);
    return row && pod.get(SourceDirectory).sourceOf(row);
  };
  const body = Buffer.from('{"any":"delivery"}');
  /** Whether a delivery is taken from a tool that was told what `made` shows. */
  const isTaken = async (made: CreatedSource, sourceId = made.sourceId) => {
    const source = await current(sourceId);
    if (!source) return false;
    const { path, header, secret, authentication } = made;
    const algorithm = authentication === 'hmac-sha1-hex' ? 'sha1' : 'sha256';
    const isSigned = authentication.startsWith('hmac');
    const carried = isSigned
      ? createHmac(algorithm, secret ?? '')
          .update(body)
          .digest('hex')
      : secret;
    const token = authentication === 'path' ? path.split('/').at(-1) : undefined;
    return isProven(
      source.webhook,
      { token, headers: { [header ?? '']: carried ?? undefined }, body },
      source.secrets,
    );
  };

  it.each([
    ['smartlead', 'path', null],
    ['instantly', 'header', 'x-outcomes-secret'],
    ['outreach', 'hmac-sha256-hex', 'outreach-webhook-signature'],
    ['salesloft', 'hmac-sha1-hex', 'x-salesloft-signature'],
  ])(
    'let %s prove itself by what was shown once (%s), and by nothing else',
    async (tool, authentication, header) => {
      const [made, other] = [
        await sources.create(scope, { tool }, DEED),
        await sources.create(scope, { tool }, DEED),
      ];
      expect(made).toMatchObject({ tool, authentication, header });
      expect(made.path).toMatch(
        new RegExp(`^/ingest/sources/${made.sourceId}${header === null ? '/[0-9A-Za-z]{32}' : ''}$`),
      );
      expect(made.secret).toEqual(
        header === null ? null : (expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string),
      );
      expect([await isTaken(made), await isTaken(other, made.sourceId)]).toEqual([true, false]);
      const shown = made.secret ?? made.path.slice(-32);
      const bytes = (await stored(scope)).flatMap((row) => Object.values(row)).filter(Buffer.isBuffer);
      expect(bytes).toHaveLength(2);
      for (const value of bytes) expect(value.includes(shown)).toBe(false);
    },
  );

  it('take the secret before a rotation for seven days more', async () => {
    const first = await sources.create(scope, { tool: 'outreach', signingSecret: 'shown by the tool' }, DEED);
    expect(first.secret).toBe('shown by the tool');
    const second = await sources.rotate(scope, first.sourceId, undefined, DEED);
    expect([await isTaken(first), await isTaken(second)]).toEqual([true, true]);
    fixture.clock.set('2026-06-22T11:59:59Z');
    expect([await isTaken(first), await isTaken(second)]).toEqual([true, true]);
    fixture.clock.set('2026-06-22T12:00:00Z');
    expect([await isTaken(first), await isTaken(second)]).toEqual([false, true]);
    const token = await sources.create(scope, { tool: 'smartlead' }, DEED);
    const rotated = await sources.rotate(scope, token.sourceId, undefined, DEED);
    fixture.clock.advanceDays(7);
    expect([await isTaken(token), await isTaken(rotated)]).toEqual([false, true]);
  });

  it.each<[string, NewSource]>([
    ['tool', { tool: 'hubspot' }],
    ['tool', { tool: 'no-such-tool' }],
    ['timeZone', { tool: 'smartlead', timeZone: 'Mars/Olympus' }],
    ['signingSecret', { tool: 'smartlead', signingSecret: 'x'.repeat(20) }],
    ['signingSecret', { tool: 'instantly', signingSecret: 'x'.repeat(20) }],
    ['signingSecret', { tool: 'outreach', signingSecret: 'x'.repeat(7) }],
    ['signingSecret', { tool: 'outreach', signingSecret: 'x'.repeat(257) }],
  ])('are not made with a %s that is of no use: %j', async (parameter, source) => {
    await expect(sources.create(scope, source, DEED)).rejects.toMatchObject(refused(parameter));
    expect([await stored(scope), await log(scope)]).toEqual([[], []]);
  });

  it.each([8, 256])('may sign with a secret of %i characters', async (length) => {
    const signingSecret = 'x'.repeat(length);
    const made = await sources.create(scope, { tool: 'salesloft', signingSecret }, DEED);
    expect(await isTaken({ ...made, secret: signingSecret })).toBe(true);
  });

  it('are not made for a company that does not exist', async () => {
    const nobody = mintTenantScope(randomUUID());
    await expect(sources.create(nobody, { tool: 'smartlead' }, DEED)).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
    expect([await stored(nobody), await log(nobody)]).toEqual([[], []]);
  });

  it('are not made where nothing can be encrypted', async () => {
    await expect(administration('').create(scope, { tool: 'smartlead' }, DEED)).rejects.toMatchObject(
      refused('SOURCE_SECRETS_KEY'),
    );
    expect(await stored(scope)).toEqual([]);
  });

  it('know the campaign, the time zone and the steps that they were told, and add to the steps', async () => {
    const told = { tool: 'outreach', campaign: 'spring', timeZone: 'Europe/Berlin' };
    const { sourceId } = await sources.create(scope, told, DEED);
    expect(await current(sourceId)).toMatchObject({
      ...{ scope, campaign: 'spring', timeZone: 'Europe/Berlin', steps: {} },
    });
    expect(await sources.addSteps(scope, sourceId, { a: 0, b: 50 }, DEED)).toEqual({ a: 0, b: 50 });
    expect(await sources.addSteps(scope, sourceId, { b: 7, c: 1 }, DEED)).toEqual({ a: 0, b: 7, c: 1 });
    for (const step of [-1, 51, 0.5, Number.NaN])
      await expect(sources.addSteps(scope, sourceId, { a: 3, d: step }, DEED)).rejects.toMatchObject(
        refused('steps'),
      );
    expect((await current(sourceId))?.steps).toEqual({ a: 0, b: 7, c: 1 });
    const bare = await sources.create(scope, { tool: 'outreach' }, DEED);
    expect(await current(bare.sourceId)).toMatchObject({ campaign: undefined, timeZone: undefined });
  });

  it('end for good when they are revoked, and nothing of them changes afterwards but the log', async () => {
    const made = await sources.create(scope, { tool: 'smartlead' }, DEED);
    await sources.revoke(scope, made.sourceId, DEED);
    expect([await current(made.sourceId), await isTaken(made)]).toEqual([undefined, false]);
    await expect(sources.rotate(scope, made.sourceId, undefined, DEED)).rejects.toMatchObject(NOT_FOUND);
    const before = await stored(scope);
    fixture.clock.advanceDays(1);
    await sources.revoke(scope, made.sourceId, DEED);
    expect(await stored(scope)).toEqual(before);
  });

  it('are of one company: to every other they do not exist, and nothing of them changes', async () => {
    const { sourceId } = await sources.create(scope, { tool: 'outreach' }, DEED);
    const [before, other] = [await stored(scope), await fixture.newCompany()];
    for (const act of [
      sources.rotate(other, sourceId, undefined, DEED),
      sources.addSteps(other, sourceId, { a: 1 }, DEED),
      sources.revoke(other, sourceId, DEED),
    ])
      await expect(act).rejects.toMatchObject(NOT_FOUND);
    expect(await stored(scope)).toEqual(before);
    expect([await stored(other), await log(other)]).toEqual([[], []]);
  });

  it('leave in the log who did what to which of them, and no secret', async () => {
    const { sourceId } = await sources.create(
      scope,
      { tool: 'outreach', signingSecret: 'very secret' },
      DEED,
    );
    await sources.addSteps(scope, sourceId, { a: 0, b: 1 }, DEED);
    await sources.rotate(scope, sourceId, 'more secret', DEED);
    await sources.revoke(scope, sourceId, DEED);
    const entries = await log(scope);
    const by = { subject: sourceId, actor_id: 'ops' };
    expect(entries).toMatchObject([
      { ...by, action: 'source.create', details: { tool: 'outreach' } },
      { ...by, action: 'source.steps', details: { steps: 2 } },
      { ...by, action: 'source.rotate', details: { tool: 'outreach' } },
      { ...by, action: 'source.revoke' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('are looked up once in five seconds by each pod, where they are unknown as well', async () => {
    const [made, unknown] = [
      await sources.create(scope, { tool: 'smartlead' }, DEED),
      `src_${'n'.repeat(22)}`,
    ];
    const directory = pod.get(SourceDirectory);
    const lookUps = jest.spyOn(pod.get(SourceRepository), 'named');
    const find = async () => [
      (await Promise.all([directory.find(made.sourceId), directory.find(made.sourceId)])).map(
        (one) => one?.sourceId,
      ),
      await directory.find(unknown),
    ];
    const found = [[made.sourceId, made.sourceId], undefined];
    expect([await find(), await find()]).toEqual([found, found]);
    // Two at once ask once, and no text that is no id is looked up at all.
    expect(
      await Promise.all(['src_x', `x${made.sourceId}`, `${made.sourceId}x`].map((id) => directory.find(id))),
    ).toEqual([undefined, undefined, undefined]);
    expect(lookUps).toHaveBeenCalledTimes(2);
    await sources.revoke(scope, made.sourceId, DEED);
    expect((await find())[0]).toEqual([made.sourceId, made.sourceId]);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_001);
    await waitUntil('a second look', async () => (await directory.find(made.sourceId)) === undefined);
    clock.mockRestore();
    lookUps.mockRestore();
  });
});
