import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/**
 * Chromium without the parts that show windows first: the same engine, and a fifth less CPU for the tests of the console.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of Debian's Chromium, or of another; undefined where there is none. */
export function chromiumPath(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The next one.
      }
    }
  }
  return undefined;
}

export async function openBrowser(executablePath: string): Promise<Browser> {
  // Root may not open Chromium's sandbox, and tests run as root in containers.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface ConsolePage extends Page {
  /** Whatever a policy refused, and whatever failed in it. */
  readonly faults: string[];
  /** A test is done with it. */
  leave(): Promise<void>;
}

/** Where a page waits for the next test. Chromium starts another process on the way from elsewhere, about:blank included. */
const NOWHERE = '/api/nothing';
/** The page of a browser that tests use one after the other. */
const kept = new WeakMap<Browser, ConsolePage>();

/**
 * A page without cookies and without anything stored. For a new one Chromium starts a process that compiles the console
 * anew: more than most tests take. So tests that ask for nothing peculiar get the same one, emptied, one after the other.
 * @param options - for a page of its own
 */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<ConsolePage> {
  if (options) {
    const page = await newPage(browser, options);
    return Object.assign(page, { leave: () => page.context().close() });
  }
  const known = kept.get(browser);
  // A test that failed has not left it.
  if (known && !known.url().endsWith(NOWHERE)) await known.leave();
  if (known) return known;
  const page = await newPage(browser, {});
  const own: ConsolePage = Object.assign(page, { leave: () => emptied(page) });
  kept.set(browser, own);
  return own;
}

async function emptied(page: Page & { readonly faults: string[] }): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  if (page.url().startsWith('http')) {
    await inPage(page, 'localStorage.clear(), sessionStorage.clear()');
    await page.goto(new URL(NOWHERE, page.url()).href);
  }
  await page.context().clearCookies();
  page.faults.length = 0;
}

async function newPage(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<Page & { readonly faults: string[] }> {
  // To draw what moves takes a twelfth of the CPU of these tests; who asks for motion gets it.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // What the API refuses on purpose is in the browser's console, too.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy: ' + violatedDirective + ' ' + blockedURI))`,
  });
  return Object.assign(page, { faults });
}

/** What an expression is in a page: asked by the debugger, because the page's policy takes no text for code. */
export async function inPage<Value>(page: Page, expression: string): Promise<Value> {
  const debug = await page.context().newCDPSession(page);
  const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
    ...{ expression, awaitPromise: true, returnByValue: true },
  });
  await debug.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Value;
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds wrong with the page as it stands, a line each.
 * @param leftOut - selectors of what is like something else there: to look at hundreds of rows takes seconds
 */
export async function accessibilityFaults(page: Page, ...leftOut: readonly string[]): Promise<string[]> {
  await inPage(page, `${AXE}; undefined`);
  const { violations } = await inPage<AxeResult>(
    page,
    `axe.run(${JSON.stringify({ exclude: leftOut })}, {
      runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then(({ violations }) => ({
      violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target }) => ({ target })) })) }))`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: string[] }[];
  }[];
}
