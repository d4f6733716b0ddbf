import { type CampaignRecommendations, type ClaimRecord, DAY_MS } from '@outcomes/contracts';
import { generateCompany, type GeneratedEvent } from '@outcomes/statistics/testing';
import { isFullForm, noteFigures } from '@outcomes/testing';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, chromiumPath, inPage, openBrowser, openPage } from './console-browser';
import { withoutChromium } from './console-stage';
import { startConsole } from './console-visitor';
import { Installation } from './installation';

const EMAIL = 'new.owner@example.com';
/** Questions as subjects bring more replies, and nothing else that is chosen message by message does anything. */
const PLANTED = { code: 'SF-1', logOddsRatio: 1.5 };
const DAYS = 56;
const SEED = 1;
const FORTNIGHT = 14;
/** From the sign-in to the finding's own page. */
const LONGEST_WALK_MS = 300_000;
const PATIENCE_MS = 60_000;

/** A day four to six weeks ago on which a fortnight begins: moved by fortnights, the same messages tell the same. */
const END_DAY = Math.floor(Date.now() / DAY_MS / FORTNIGHT) * FORTNIGHT - 2 * FORTNIGHT;
const { events: SENT } = generateCompany(
  {
    ...{ days: DAYS, startDay: END_DAY - DAYS, sendsPerDay: 40, campaigns: 2, baseRate: 0.1, bodyShare: 1 },
    effects: { 'subject_form.question': PLANTED.logOddsRatio },
  },
  SEED,
);

const COLUMNS: Readonly<Record<string, (event: GeneratedEvent) => string>> = {
  recipient_id: (event) => event.recipient_id,
  channel: (event) => event.channel,
  sequence_step: (event) => String(event.sequence_step),
  sent_at: (event) => event.sent_at,
  outcome: (event) => event.outcome,
  outcome_at: (event) => event.outcome_at,
  recipient_position: (event) => event.recipient_position,
  industry: (event) => event.industry,
  tone: (event) => event.tone,
  subject: (event) => event.subject,
  body: (event) => event.body ?? '',
  'metadata.campaign_id': (event) => event.metadata.campaign_id,
};

function csvOf(events: readonly GeneratedEvent[]): string {
  const rows = events.map((event) => Object.values(COLUMNS).map((cell) => cell(event)));
  return [Object.keys(COLUMNS), ...rows]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
}

const whole = (value: number) => value.toLocaleString('en-GB');
const times = (ratio: number) => `×${ratio.toFixed(2)}`;

describe('the walk of a new owner', () => {
  const missing = withoutChromium();
  if (missing) {
    it('needs Chromium', missing);
    return;
  }
  let installation: Installation;
  let browser: Browser;
  let origin: string;
  let [companyId, password] = ['', ''];

  beforeAll(async () => {
    installation = await Installation.create();
    ({ companyId } = await installation.addTenant({ name: 'New company' }));
    ({ password = '' } = await installation.cli('user', 'create', '--company', companyId, '--email', EMAIL));
    await installation.start('analysis-worker');
    // As every night, of a company with nothing yet: the page must not take it for data.
    const nightly = ['analyze', '--company', companyId, '--wait'];
    expect((await installation.cli(...nightly)).state).toBe('succeeded');
    origin = await startConsole(installation);
    browser = await openBrowser(chromiumPath() ?? '');
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await installation.stop();
  });

  const ask = <Answer>(page: Page, path: string) =>
    inPage<Answer>(page, `fetch('/api/c/${companyId}/${path}').then((answer) => answer.json())`);

  it('leads from an empty company by a file to the first finding, and to what it rests on', async () => {
    const page = await openPage(browser, { reducedMotion: 'no-preference' });
    page.setDefaultTimeout(PATIENCE_MS);
    const steps: [name: string, at: number][] = [['', performance.now()]];
    const done = (name: string) => steps.push([name, performance.now()]);

    await page.goto(origin);
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'From nothing to the first finding' }).waitFor();
    await page.getByText('Nothing is known yet.').waitFor();
    done('sign-in');

    await page.getByRole('link', { name: 'Import history' }).click();
    const file = { name: 'history.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(SENT)) };
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByText('The file has the columns of this service').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('All is sent.').waitFor();
    const n = whole(SENT.length);
    expect(await page.getByTestId('progress').textContent()).toBe(
      `${n} rows read, ${n} events accepted, 0 of them known before, 0 rejected, 0 rows told nothing. All is sent.`,
    );
    done('import sent');

    const became = page.locator('section', { hasText: 'What becomes of it' });
    await became.getByText('Everything is counted.').waitFor();
    done('counted');
    // Mutation: the import says that all is done before anything was analysed.
    await became.getByText(/The analysis (follows|is running)/).waitFor();
    expect(await became.getByRole('link').count()).toBe(0);
    const further = became.getByRole('link', { name: 'What these messages can and cannot tell' });
    await further.waitFor();
    done('analysed');

    await further.click();
    const line = page.locator(`[data-finding="${PLANTED.code}"]`);
    await line.getByText(/ since \d/).waitFor();
    done('first finding');

    const { recommendations } = await ask<CampaignRecommendations>(
      page,
      'intelligence/recommendations?limit=51',
    );
    const planted = recommendations.find(({ code }) => code === PLANTED.code);
    if (!planted?.evidence) throw new Error(`${PLANTED.code} is not found`);
    const { odds_ratio, odds_ratio_low, odds_ratio_high } = planted.evidence;
    expect([planted.evidence_tier, planted.positive]).toEqual(['confirmed', true]);
    expect(odds_ratio_low).toBeGreaterThan(1);
    expect(odds_ratio_low).toBeLessThan(Math.exp(PLANTED.logOddsRatio));
    expect(odds_ratio_high).toBeGreaterThan(Math.exp(PLANTED.logOddsRatio));
    // What was not planted is no finding. Other forms of a subject do worse beside questions.
    const confirmed = recommendations.filter(({ evidence_tier }) => evidence_tier === 'confirmed');
    expect(confirmed.filter(({ code, positive }) => positive || !code.startsWith('SF-'))).toEqual([planted]);

    const { claims } = await ask<ClaimRecord>(page, 'claims');
    const claim = claims.find(({ code }) => code === PLANTED.code);
    const since = new Date(claim?.since ?? '').toLocaleDateString('en-GB', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
    });
    const effect = `${times(odds_ratio)} (${times(odds_ratio_low)} to ${times(odds_ratio_high)})`;
    const said = `: confirmed since ${since}, odds ratio ${effect}, n ${whole(planted.sample_size)}`;
    expect(await line.textContent()).toBe(`${planted.title}${said}`);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    expect(await line.textContent()).toBe(`${planted.title}${said}`);
    const marks = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('[data-odds-ratio]')].map((mark) => mark.dataset.oddsRatio)`,
    );
    expect(marks).toEqual(confirmed.map(({ evidence }) => `${evidence?.odds_ratio}`));
    expect(await page.getByRole('heading', { name: 'From nothing to the first finding' }).count()).toBe(0);

    await line.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: planted.title }).waitFor();
    const rests = page.locator('section', { hasText: 'What it rests on' });
    await rests.getByText(effect).waitFor();
    await page.locator(`[data-claim="${PLANTED.code} ${claim?.number}"]`).waitFor();
    done('its own page');

    const [first, last] = [steps[0]?.[1] ?? 0, steps.at(-1)?.[1] ?? Infinity];
    const spans = steps.slice(1).map(([name, at], before) => {
      const seconds = (at - (steps[before]?.[1] ?? 0)) / 1_000;
      return `${name} ${seconds.toFixed(1)} s`;
    });
    const total = `total ${((last - first) / 1_000).toFixed(1)} s; bound ${LONGEST_WALK_MS / 1_000} s`;
    noteFigures(`${n} messages: ${spans.join(', ')}; ${total}`);
    // A machine that does other things besides says nothing of times.
    if (isFullForm()) expect(last - first).toBeLessThan(LONGEST_WALK_MS);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(page.faults).toEqual([]);
    await page.leave();
  }, 360_000);
});
