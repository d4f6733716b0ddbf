// `npm run screenshots`: pictures of the console's pages on the demonstration that `npm start` runs, for its README.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { Failure } from '../local/failure.mjs';
import { isReady } from '../local/installation.mjs';
import { onPath } from '../local/processes.mjs';
import { program } from '../local/program.mjs';
import { paths, readJson, root } from '../local/settings.mjs';

const folder = join(root, 'apps/console/screenshots');
const [WIDTH, HEIGHT] = [1_100, 760];
/** Name of the picture, and address below the company. */
const pages = {
  ...{ overview: '', finding: null, rates: 'rates', drift: 'drift' },
  ...{ backtest: 'backtest', access: 'access' },
};
/** What is in the picture of a page that is longer than it. */
const shown = { finding: 'How the evidence came to be', drift: 'Day by day' };
/** How much of a page is enough, where it is full of text. */
const heights: Partial<Record<string, number>> = { backtest: 580 };
/** A README is read over slow lines, too. */
const MAX_BYTES = 150_000;
/** A page that has shown nothing is smaller. */
const MIN_BYTES = 10_000;

await program(async () => {
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome'].map(onPath).find(Boolean);
  if (!executablePath) throw new Failure('There is no Chromium on the PATH: apt-get install chromium.');
  const demonstration = readJson(paths.quickstart);
  if (!demonstration || !(await isReady(`${demonstration.console}/`)))
    throw new Failure('The demonstration does not run: npm start in another terminal, then this again.');
  const { console: origin, companyId, signIn } = demonstration;
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: HEIGHT },
      reducedMotion: 'reduce',
    });
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('E-mail address').fill(signIn.email);
    await page.getByLabel('Password').fill(signIn.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'What your outreach has taught so far' }).waitFor();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(
        `${origin}/c/${companyId}/${path ?? (await firstFinding(page, `${origin}/c/${companyId}`))}`,
      );
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      const heading = shown[name as keyof typeof shown];
      if (heading !== undefined) {
        const place = page.getByRole('heading', { name: heading });
        await place.evaluate((element) => element.scrollIntoView({ block: 'start' }));
        await place.locator('xpath=following::*[name()="svg"][1]').waitFor();
      }
      const file = join(folder, `${name}.png`);
      await page.screenshot({
        path: file,
        clip: { x: 0, y: 0, width: WIDTH, height: heights[name] ?? HEIGHT },
      });
      const { size } = statSync(file);
      if (size > MAX_BYTES || size < MIN_BYTES) {
        rmSync(file);
        throw new Failure(`The picture of ${name} has ${size} bytes, not ${MIN_BYTES} to ${MAX_BYTES}.`);
      }
      console.log(`apps/console/screenshots/${name}.png, ${size} bytes`);
    }
  } finally {
    await browser.close();
  }
});

/**
 * The address of the first finding that a company has, below the company.
 * @param company address of the company
 */
async function firstFinding(page: Page, company: string) {
  await page.goto(`${company}/findings`);
  const link = page.locator('main ul a').first();
  await link.waitFor();
  return `findings/${(await link.getAttribute('href'))?.split('/').at(-1)}`;
}
