import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Path of Debian's Chromium, or of another; undefined where there is none. */
export function chromiumPath(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
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

/** A page that writes down whatever a policy refused, and whatever failed in it. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page & { faults: string[] }> {
  const context = await browser.newContext(options);
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

/** What axe finds wrong with the page as it stands, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await inPage(page, `${AXE}; undefined`);
  const { violations } = await inPage<AxeResult>(
    page,
    `axe.run({ runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then(({ violations }) => ({
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
