import { inForm, noteFigures } from '@outcomes/testing';
import type { Page } from 'playwright-core';
import { accessibilityFaults, inPage, openPage } from './console-browser';
import { ConsoleStage, PAGES, withoutChromium } from './console-stage';
import { signedIn, startConsole } from './console-visitor';
import { rpc, transmit } from './exchange';

const GUARDED_PAGES = ['data/import', 'access', 'usage', 'people', 'settings'];

describe('agent access in the console', () => {
  const missing = withoutChromium();
  if (missing) {
    it('needs Chromium', missing);
    return;
  }
  let stage: ConsoleStage;
  let [readApi, gateway] = ['', 0];

  beforeAll(async () => {
    stage = await ConsoleStage.set();
    readApi = `${stage.installation.urlOf('read-api')}/v1`;
    gateway = Number(new URL(stage.installation.urlOf('mcp-gateway')).port);
  }, 120_000);
  afterAll(() => stage.clear());

  const overRest = async (apiKey: string) =>
    (await fetch(`${readApi}/intelligence/drift`, { headers: { Authorization: `Bearer ${apiKey}` } })).status;
  const overMcp = async (apiKey: string) => {
    const call = { name: 'get_drift_state', arguments: {} };
    return transmit(rpc(gateway, apiKey, 'tools/call', call));
  };
  const created = async (page: Page, name: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    return (await page.getByTestId('new-key').textContent()) ?? '';
  };

  it('makes a key that is copied, used over REST and MCP, and refused a second after it was revoked', async () => {
    const page = await openPage(stage.browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { companyId } = stage.own;
    await stage.enter(page);
    await page.getByRole('link', { name: 'Agent access' }).click();
    expect(await page.getByTestId('tenant-id').textContent()).toBe(companyId);
    const apiKey = await created(page, 'walked');
    expect(apiKey).toMatch(/^svc_\w{48}_[0-9a-f]{8}$/);
    // Mutation: what is shown once stands outside the window, and no screen reader says so.
    await page.locator('section[aria-label="New key"]:focus').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // The form in which Cursor takes a variable of the environment, as the gateway's README has it.
    await page.getByText('"Authorization": "Bearer ${env:API_KEY}"').waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    // Mutation: what stands around the key is copied with it.
    expect(await inPage<string>(page, 'navigator.clipboard.readText()')).toBe(apiKey);
    expect(await overRest(apiKey)).toBe(200);
    const { status, body } = await overMcp(apiKey);
    expect([status, body.result.isError ?? false]).toEqual([200, false]);

    // Nowhere but on the page, and there as long as it stands.
    const kept = await inPage<string>(
      page,
      // Item by item: one that is called like a method of a storage is no property of it.
      `[location.href, document.cookie, ...[localStorage, sessionStorage].flatMap((storage) =>
        Array.from(storage, (_, at) => storage.key(at)).flatMap((name) => [name, storage.getItem(name)]))].join()`,
    );
    expect(kept).not.toContain(apiKey.slice(20, 52));
    await page.getByRole('button', { name: 'I have saved it' }).click();

    // The fourth is refused, and why stands beside the button before and after.
    for (const name of ['second', 'third']) {
      await created(page, name);
      await page.getByRole('button', { name: 'I have saved it' }).click();
    }
    await page.getByText('3 of 3 active keys: revoke one first.').waitFor();
    await page.getByLabel('Name').fill('fourth');
    await page.getByRole('button', { name: 'Create key' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('Revoke one before you create another.');
    expect(await page.getByTestId('new-key').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.reload();
    await page.getByRole('button', { name: 'Revoke walked' }).click();
    expect(await page.content()).not.toContain(apiKey.slice(20, 52));
    expect(await accessibilityFaults(page)).toEqual([]);
    const began = performance.now();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    while ((await overRest(apiKey)) !== 401) expect(performance.now() - began).toBeLessThan(1_000);
    while ((await overMcp(apiKey)).status !== 401) expect(performance.now() - began).toBeLessThan(1_000);
    noteFigures(`a key refused over REST and MCP ${Math.round(performance.now() - began)} ms after a click`);
    expect(page.faults).toEqual([]);
    await page.leave();
  }, 90_000);

  it('shows a member no way to what is guarded, and refuses the addresses with whom to ask', async () => {
    const member = await signedIn(stage.installation, stage.origin, stage.own.companyId, 'member');
    const page = await openPage(stage.browser);
    await stage.enter(page, member);
    for (const name of ['Agent access', 'Import', 'Usage', 'People', 'Settings'])
      expect([name, await page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 0]);
    for (const path of GUARDED_PAGES.filter((own) => own !== 'data/import')) {
      await page.goto(`${stage.origin}/c/${stage.own.companyId}/${path}`);
      await page.getByText('Ask: Owner or Organization admin.').first().waitFor();
      expect(await page.getByRole('button', { name: /^(Create key|Save|Remove)/ }).count()).toBe(0);
    }
    // Mutation: forms of the page stand for whoever reads it.
    await stage.settled(page, 'data');
    expect(await page.getByRole('heading', { name: 'Delete a recipient' }).count()).toBe(0);
    await page.leave();
  }, 60_000);

  it('leads nobody into a company by its address', async () => {
    const stranger = await stage.installation.addTenant({ name: 'Foreign company' });
    const page = await stage.opened();
    const answers: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes(`/api/c/${stranger.companyId}`)) answers.push(response.status());
    });
    for (const path of PAGES) {
      await page.goto(`${stage.origin}/c/${stranger.companyId}/${path}`);
      await page.getByRole('heading', { name: 'No company at this address' }).waitFor();
    }
    // Whatever was asked for before the page knew better was refused.
    expect(answers.filter((status) => status !== 404)).toEqual([]);
    await page.leave();
  }, 60_000);

  it('reads every page while Redis is away', async () => {
    const alone = await startConsole(stage.installation, { REDIS_URL: 'redis://127.0.0.1:1' });
    const page = await stage.opened();
    await stage.enter(page, stage.owner, alone);
    // `npm test` reads some of them; the API of each is asked without Redis in `console-api.e2e-spec.ts`.
    for (const path of PAGES.filter((_path, at) => at % inForm(3, 1) === 0)) {
      const isRead = async (origin: string) => {
        await stage.settled(page, path, stage.own.companyId, origin);
        return [path, await page.getByRole('alert').count(), await page.locator('section.panel').count()];
      };
      // Planted rows that no analysis wrote are refused either way; everything else is read.
      expect(await isRead(alone)).toEqual(await isRead(stage.origin));
    }
    expect(page.faults).toEqual([]);
    await page.leave();
  }, 120_000);
});
