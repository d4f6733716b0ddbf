import type { Page } from 'playwright-core';
import { accessibilityFaults, openPage } from './console-browser';
import { ConsoleStage, withoutChromium } from './console-stage';

/** Addresses after `to` that lead nowhere but to the overview: elsewhere, or around in a circle. */
const REFUSED_PATHS = [
  ...['//elsewhere.example/c', '/\\elsewhere.example', 'https://elsewhere.example', 'elsewhere.example'],
  // A browser leaves out the tab, and what stands before the dots.
  ...[
    '/\t/[',
    '/\t/elsewhere.example',
    '/c/..//elsewhere.example',
    '/.\\\\elsewhere.example',
    'javascript:alert(1)',
  ],
  ...['/sign-in', '/sign-in?to=/account', ''],
];

/** Long enough for any page, and shorter than a test may take. */
const PATIENCE = { timeout: 10_000 };

describe('signing in to the console', () => {
  const missing = withoutChromium();
  if (missing) {
    it('needs Chromium', missing);
    return;
  }
  let stage: ConsoleStage;
  let [first, last] = [] as unknown as { companyId: string; name: string }[];

  beforeAll(async () => {
    stage = await ConsoleStage.set();
    const { body } = await stage.owner.get('/api/me');
    [first, last] = body.companies as { companyId: string; name: string }[];
  }, 120_000);
  afterAll(() => stage.clear());

  const fillIn = async (page: Page) => {
    await page.getByLabel('E-mail address').fill(stage.owner.email);
    await page.getByLabel('Password').fill(stage.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it.each(['/ledger?hints=true', '/data', '/findings/TA-1'])(
    'leads back to the address that was opened before: %s',
    async (path) => {
      const page = await openPage(stage.browser);
      const address = `${stage.origin}/c/${last?.companyId}${path}`;
      await page.goto(address);
      await fillIn(page);
      // Mutation: whoever signs in lands in his first company.
      await page.waitForURL(address, PATIENCE);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      expect(page.faults).toEqual([]);
      await page.leave();
    },
  );

  it('leads back to the own account', async () => {
    const page = await openPage(stage.browser);
    await page.goto(`${stage.origin}/account`);
    await fillIn(page);
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.leave();
  });

  it('again before a deletion leads back to its company, and the dialog keeps what was entered', async () => {
    const page = await stage.opened();
    await stage.installation.database.query(
      `UPDATE user_sessions SET signed_in_at = signed_in_at - interval '16 minutes'
       WHERE user_id = (SELECT user_id FROM users WHERE email = $1)`,
      [stage.owner.email],
    );
    await stage.settled(page, 'data', last?.companyId);
    await page.getByLabel('Recipient id').fill('somebody');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    // Mutation: nobody is told in which company the recipient is deleted.
    expect(await dialog.textContent()).toContain(`somebody, in ${last?.name}`);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    const again = dialog.getByRole('link', { name: 'Sign in again' });
    await again.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const opened = page.waitForEvent('popup', PATIENCE);
    await again.click();
    const tab = await opened;
    await fillIn(tab);
    await tab.waitForURL(`${stage.origin}/c/${last?.companyId}/data`, PATIENCE);
    await tab.close();
    // Mutation: the sign-in takes the place of the page, with what was entered.
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('0 events deleted.').waitFor();
    expect(page.faults).toEqual([]);
    await page.leave();
  });

  it.each(REFUSED_PATHS)('leads to no address but one of the console: %j', async (path) => {
    const page = await openPage(stage.browser);
    await page.goto(`${stage.origin}/sign-in?to=${encodeURIComponent(path)}`);
    await fillIn(page);
    await page.waitForURL(`${stage.origin}/c/${first?.companyId}`, PATIENCE);
    await page.leave();
  });
});
