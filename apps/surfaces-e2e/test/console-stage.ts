import { randomBytes } from 'node:crypto';
import { waitUntil, type Tenant } from '@outcomes/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { plantCanaries } from './canaries';
import { chromiumPath, inPage, openBrowser, openPage } from './console-browser';
import { plantWeeks } from './console-history';
import { admit, consoleOf, signedIn } from './console-visitor';
import { Installation } from './installation';

export type Person = Awaited<ReturnType<typeof signedIn>>;

/** A test in place of those that need Chromium; undefined where there is one. */
export function withoutChromium(): (() => void) | undefined {
  if (chromiumPath() !== undefined) return undefined;
  return () => {
    // Whoever checks a change before it is taken has to run them.
    if (process.env.CI) throw new Error('Chromium is missing: apt-get install chromium');
    process.stderr.write(
      'NOT RUN: the pages of the console, for want of Chromium (apt-get install chromium)\n',
    );
  };
}

/** A console that other suites use, too, a company that has a row in every table, an empty one, their owner, and a browser. */
export class ConsoleStage {
  private constructor(
    readonly installation: Installation,
    readonly browser: Browser,
    readonly origin: string,
    readonly own: Tenant,
    readonly empty: Tenant,
    readonly owner: Person,
  ) {}

  static async set(): Promise<ConsoleStage> {
    const installation = await Installation.join('console');
    const [own, empty] = [
      await installation.addTenant({ name: 'Own company' }),
      await installation.addTenant({ name: 'Empty company' }),
    ];
    // Another one for each suite: some of what carries it is there once in an installation.
    const canary = `Own${randomBytes(4).toString('hex')}`;
    await plantCanaries(installation.database, own.companyId, canary, empty.companyId);
    await plantWeeks(installation.database, own.companyId);
    await installation.database.query('UPDATE api_keys SET revoked_at = now() WHERE company_id = $1', [
      own.companyId,
    ]);
    const origin = consoleOf(installation);
    const owner = await signedIn(installation, origin, own.companyId, 'owner');
    await admit(installation, empty.companyId, owner.email);
    // Last: nobody closes it where something of the above fails, and Jest would wait for it for ever.
    const browser = await openBrowser(chromiumPath() ?? '');
    return new ConsoleStage(installation, browser, origin, own, empty, owner);
  }

  async enter(page: Page, person: Pick<Person, 'email' | 'password'> = this.owner, origin = this.origin) {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'What your outreach has taught so far' }).waitFor();
  }

  /** A page in which the owner has signed in, without the form: most tests are about what comes after. */
  async opened(options?: BrowserContextOptions) {
    const page = await openPage(this.browser, options);
    const [name = '', value = ''] = this.owner.cookie?.split('=', 2) ?? [];
    // The form sets it over HTTP, which a browser takes from this machine alone; the debugger takes it from nowhere.
    const url = this.origin.replace('http:', 'https:');
    await page.context().addCookies([{ name, value, url, httpOnly: true, secure: true, sameSite: 'Lax' }]);
    return page;
  }

  /** A page of a company with every answer that it asks for. */
  async settled(page: Page, path: string, company = this.own.companyId, origin = this.origin) {
    await page.goto(`${origin}/c/${company}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntil(`${path} to be loaded`, () =>
      inPage<boolean>(page, `document.querySelectorAll('[aria-busy="true"]').length === 0`),
    );
  }

  async clear(): Promise<void> {
    await this.browser.close();
    await this.installation.stop();
  }
}

/** Pages of a company, below its address. */
export const PAGES: readonly string[] = [
  ...['', 'findings', 'findings/TA-1', 'rates', 'drift', 'campaigns', 'contacts', 'decisions'],
  ...['calibration', 'audit', 'access', 'people', 'ledger', 'ledger?hints=true', 'recipients'],
  ...['data', 'data/import', 'usage', 'settings', 'backtest'],
];
