// @ts-check
// `npm run screenshots`: pictures of the console's pages on the demonstration that `npm start` runs, for its README.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Failure } from '../local/failure.mjs';
import { onPath } from '../local/processes.mjs';
import { program } from '../local/program.mjs';
import { paths, root } from '../local/settings.mjs';

const folder = join(root, 'apps/console/screenshots');
/** Name of the picture, and address below the company. */
const pages = { overview: '', findings: 'findings', rates: 'rates', drift: 'drift', access: 'access' };

await program(async () => {
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome'].map(onPath).find(Boolean);
  if (!executablePath) throw new Failure('There is no Chromium on the PATH: apt-get install chromium.');
  const { console: origin, companyId, signIn } = JSON.parse(readFileSync(paths.quickstart, 'utf8'));
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_100, height: 700 }, reducedMotion: 'reduce' });
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('E-mail address').fill(signIn.email);
    await page.getByLabel('Password').fill(signIn.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'What your outreach has taught so far' }).waitFor();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${origin}/c/${companyId}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      console.log(`apps/console/screenshots/${name}.png`);
    }
  } finally {
    await browser.close();
  }
});
