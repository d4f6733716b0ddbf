import type {
  AnalysisRecord,
  ClaimRecord,
  CompanyUsage,
  DailySeries,
  EvidencePath,
  RecipientAnalysis,
  WorkflowDecisions,
} from '@outcomes/contracts';
import { EXAMPLES } from '@outcomes/source-profiles/testing';
import { inForm, isFullForm, waitUntil, type Tenant } from '@outcomes/testing';
import type { Page } from 'playwright-core';
import { accessibilityFaults, inPage, openPage } from './console-browser';
import { ConsoleStage, PAGES, withoutChromium, type Person } from './console-stage';
import { admit } from './console-visitor';
import { goldensOf } from './goldens';

/** The least width that a page has to have everything at, and the height of every window. */
const [NARROW, HEIGHT] = [320, 900] as const;
/** Of a decision that an analysis once made: what canaries carry is none. */
const [FROZEN] = (goldensOf('WorkflowDecisions').get('with-replay') as WorkflowDecisions).decisions.map(
  ({ replay }) => replay,
);

/** How much wider a page is than its window; whatever is wider has a place of its own to be moved in. */
const overflowOf = (page: Page) =>
  inPage<number>(page, 'document.documentElement.scrollWidth - window.innerWidth');

/** Replies to e-mail have changed, while LinkedIn is too young to be judged: the company's state is that of LinkedIn. */
const emailChanged = (change: object) => ({
  ...{ drift_state: 'insufficient_data', changes: [change] },
  tests: [
    { channel: 'linkedin', state: 'insufficient_data' },
    { channel: 'email', state: 'rate' },
  ],
});

/** Where the axis of the chart that a page shows puts a value: read from its first two ticks. */
async function placesOn(page: Page, scale: (value: number) => number) {
  const ticks = await inPage<[text: string, x: number][]>(
    page,
    `[...document.querySelectorAll('svg g:has(> line:first-child)')].map(({ firstChild, lastChild }) =>
      [lastChild.textContent, firstChild.x1.baseVal.value])`,
  );
  const [one, other] = ticks.map(([text, x]) => {
    const value = Number.parseFloat(text.replace('×', '')) / (text.endsWith('%') ? 100 : 1);
    return { at: scale(value), x };
  });
  if (!one || !other) throw new Error('The axis has fewer than two ticks.');
  return (value: number) => one.x + ((scale(value) - one.at) * (other.x - one.x)) / (other.at - one.at);
}

/** Within a pixel. */
function expectNear(places: readonly number[], expected: readonly number[]): void {
  const off = places.map((place, at) => Math.abs(place - (expected[at] ?? NaN)));
  expect(places).toHaveLength(expected.length);
  expect(off.filter((pixels) => !(pixels < 1))).toEqual([]);
}

describe('the pages of the console', () => {
  const missing = withoutChromium();
  if (missing) {
    it('need Chromium', missing);
    return;
  }
  let stage: ConsoleStage;
  let [own, empty] = [] as unknown as [Tenant, Tenant];
  let origin = '';
  let owner: Person;
  const enter = (page: Page) => stage.enter(page);
  const settled = (page: Page, path: string, company?: string) => stage.settled(page, path, company);

  beforeAll(async () => {
    stage = await ConsoleStage.set();
    ({ own, empty, origin, owner } = stage);
  }, 120_000);
  afterAll(() => stage.clear());

  it.each(
    (
      [
        ['light', NARROW],
        ['dark', 1_280],
        ['light', 1_280],
        ['dark', NARROW],
      ] as const
    ).slice(0, inForm(2, 4)),
  )(
    'are free of faults that axe knows, and of policy reports, in %s at %d pixels',
    async (colorScheme, width) => {
      const page = await openPage(stage.browser, {
        colorScheme,
        viewport: { width, height: HEIGHT },
      });
      await page.goto(`${origin}/sign-in`);
      await page.getByLabel('Password').waitFor();
      const found: Record<string, string[]> = { 'sign-in': await accessibilityFaults(page) };
      await enter(page);
      await page.goto(`${origin}/account`);
      await page.getByRole('button', { name: 'Change password' }).waitFor();
      found.account = await accessibilityFaults(page);
      // `npm test` looks at each page once with rows and once without, in one look or the other by turns.
      const isLight = colorScheme === 'light';
      for (const [at, path] of PAGES.entries()) {
        const one = (at % 2 === 0) === isLight ? own : empty;
        for (const { companyId: company } of isFullForm() ? [own, empty] : [one]) {
          await settled(page, path, company);
          found[`${path} of ${company === own.companyId ? 'own' : 'empty'}`] =
            await accessibilityFaults(page);
          expect([path, Math.max(0, await overflowOf(page))]).toEqual([path, 0]);
          if (width === NARROW) continue;
          // Made narrower it fits, too, as soon as charts have been drawn again.
          await page.setViewportSize({ width: NARROW, height: HEIGHT });
          await waitUntil(`${path} to fit`, async () => (await overflowOf(page)) <= 0);
          await page.setViewportSize({ width, height: HEIGHT });
        }
      }
      await settled(page, 'data');
      await page.getByLabel('Recipient id').fill('somebody');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).waitFor();
      found['the dialog of a deletion'] = await accessibilityFaults(page);
      expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.leave();
    },
    240_000,
  );

  it('tell what is new since the visit before', async () => {
    const { database } = stage.installation;
    await database.query(
      `UPDATE users SET last_seen_at = now() - interval '2 days', previous_visit_at = NULL WHERE email = $1`,
      [owner.email],
    );
    const writtenAt = (moment: string) =>
      database.query(`UPDATE claims SET recorded_at = ${moment} WHERE company_id = $1`, [own.companyId]);
    await writtenAt('now()');
    const { claims } = (await owner.get(`/api/c/${own.companyId}/claims`)).body as unknown as ClaimRecord;
    const stands = (tier: string | null) => tier === 'confirmed' || tier === 'likely';
    const news = claims.filter(({ tier, previousTier }) => stands(tier) || stands(previousTier));
    expect(news.length).toBeGreaterThan(5);
    // The newest of them as one of the catalogue; canaries have codes of their own.
    await database.query(`UPDATE claims SET code = 'DOW-1' WHERE company_id = $1 AND code = $2`, [
      own.companyId,
      news[0]?.code,
    ]);
    const page = await openPage(stage.browser);
    await enter(page);
    const said = async () => {
      await settled(page, '');
      return page.locator('section', { hasText: 'Since your last visit' }).innerText();
    };
    const told = await said();
    for (const { code } of news.slice(1, 5)) expect(told).toContain(`(${code}): `);
    // Mutation: a code without the words for it.
    expect(told).toContain('Sending on Monday (DOW-1): ');
    expect(told).toContain(`${news.length - 5} more in the ledger`);
    await writtenAt(`now() - interval '3 days'`);
    expect(await said()).toContain('Nothing was claimed or retracted since.');
    await page.leave();
  });

  describe('of which an answer is missing', () => {
    const NOTHING_NEW = 'Nothing was claimed or retracted since. No change of replies is dated since';
    const away = { status: 503, json: { error: 'SERVICE_UNAVAILABLE', message: 'Try again later.' } };
    let page: Awaited<ReturnType<ConsoleStage['opened']>>;

    beforeEach(async () => {
      await stage.installation.database.query(
        `UPDATE users SET last_seen_at = now(), previous_visit_at = now() - interval '2 days' WHERE email = $1`,
        [owner.email],
      );
      await stage.installation.database.query(
        `UPDATE claims SET recorded_at = now() - interval '3 days' WHERE company_id = $1`,
        [own.companyId],
      );
      page = await stage.opened();
    });
    afterEach(async () => {
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.leave();
    });
    const part = (title: string) =>
      page.locator('section', { has: page.getByRole('heading', { name: title }) });
    const retried = (title: string) => part(title).getByRole('button', { name: 'Retry' });

    it('do not take drift that could not be read for none', async () => {
      await page.route('**/intelligence/drift', (route) => route.fulfill(away));
      await page.goto(`${origin}/c/${own.companyId}`);
      const news = part('Since your last visit');
      await news.getByText('Nothing was claimed or retracted since.').waitFor();
      // Mutation: what is not known is told as nothing, while it loads and after it failed.
      expect(await news.textContent()).not.toContain(NOTHING_NEW);
      await retried('Since your last visit').waitFor();
      await retried('Whether replies changed').waitFor();
      expect(await news.textContent()).not.toContain(NOTHING_NEW);
      await page.unroute('**/intelligence/drift');
      await retried('Since your last visit').click();
      await news.getByText(NOTHING_NEW).waitFor();
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
      // What could be read now is read for the other part, too: known, or said to be unknown.
      await page
        .getByText(
          /Replies changed around|No change of late|Too little has settled to tell|Unknown: there are no recent outcomes/,
        )
        .waitFor();
    }, 60_000);

    it('tell of drift where claims could not be read', async () => {
      await page.route(/\/claims(\?|$)/, (route) => route.fulfill(away));
      const { body } = await owner.get(`/api/c/${own.companyId}/intelligence/drift`);
      const day = new Date().toISOString().slice(0, 10);
      const change = { ...(body.changes as object[])[0], channel: 'email', since: day, told_at: day };
      await page.route('**/intelligence/drift', (route) =>
        route.fulfill({ json: { ...(body as object), ...emailChanged(change) } }),
      );
      await page.goto(`${origin}/c/${own.companyId}`);
      const news = part('Since your last visit');
      await news.getByRole('link', { name: 'Replies changed around' }).waitFor();
      await retried('Since your last visit').waitFor();
      expect(await news.textContent()).not.toMatch(/Nothing was claimed/);
      await page.getByRole('heading', { name: 'Replies changed around' }).waitFor();
    }, 60_000);
  });

  it('do not call a change that was found late none', async () => {
    await stage.installation.database.query(
      `UPDATE users SET last_seen_at = now(), previous_visit_at = now() - interval '2 days' WHERE email = $1`,
      [owner.email],
    );
    const page = await stage.opened();
    const { body } = await owner.get(`/api/c/${own.companyId}/intelligence/drift`);
    // Accepted by a run of today, and dated a week before the visit: its data came late.
    const change = {
      ...(body.changes as object[])[0],
      channel: 'email',
      since: '2026-03-01',
      told_at: '2026-03-15',
    };
    await page.route('**/intelligence/drift', (route) =>
      route.fulfill({ json: { ...(body as object), ...emailChanged(change) } }),
    );
    await settled(page, '');
    const news = page.locator('section', { hasText: 'Since your last visit' });
    expect(await news.textContent()).toContain(
      'No change of replies is dated since; one that was found late is under Drift.',
    );
    expect(await news.textContent()).not.toContain('found to have changed');
    await news.getByRole('link', { name: 'Drift' }).waitFor();
    await page.leave();
  }, 60_000);

  it('say first of all that nobody should act on what old outcomes tell', async () => {
    await stage.installation.database.query(
      'UPDATE workflow_decisions SET inputs = $2, result = $3 WHERE company_id = $1',
      [own.companyId, FROZEN?.inputs, FROZEN?.result],
    );
    const page = await stage.opened();
    const STALE = {
      ...{
        posteriors_trustworthy: false,
        recommended_action: 'Do not act; send outcomes.',
        drift_state: 'none',
      },
      ...{
        data_as_of: '2025-11-28T10:02:00.000Z',
        newest_outcome_at: '2025-03-31T09:00:00.000Z',
        changes: [],
        // Mutation: alerts reach agents alone.
        alerts: ['source_silent'],
      },
    };
    const seen = new Set<string>();
    await page.route('**/api/c/**', async (route) => {
      const answer = await route.fetch();
      const said = (await answer.json().catch(() => undefined)) as Record<string, unknown> | undefined;
      if (!answer.ok() || said?.posteriors_trustworthy === undefined)
        return route.fulfill({ response: answer });
      seen.add(new URL(route.request().url()).pathname);
      const tests = (said.tests as object[] | undefined)?.map((test) => ({
        ...{ ...test, state: 'none', posteriors_trustworthy: false },
      }));
      return route.fulfill({ json: { ...said, ...STALE, ...(tests && { tests }) } });
    });
    const isSaid = (path: string) =>
      waitUntil(`${path} to say so`, async () => {
        const text = (await page.locator('main').textContent()) ?? '';
        return (
          text.includes(STALE.recommended_action) &&
          text.includes('The newest outcome is of 31 Mar 2025.') &&
          text.includes('A tool that delivers by webhook has stopped')
        );
      });
    for (const path of [
      '',
      'findings',
      'findings/TA-1',
      'rates',
      'drift',
      'campaigns',
      'decisions',
      'calibration',
      'recipients',
    ]) {
      await settled(page, path);
      await isSaid(path);
      // Mutation: what nobody could look at is told as no change.
      if (path !== '' && path !== 'drift') continue;
      const text = await page.locator('main').textContent();
      expect(text).toContain('Unknown: there are no recent outcomes.');
      expect(text).not.toContain('No change of late.');
    }
    await settled(page, 'contacts');
    await page.getByLabel('Contact id or e-mail address').fill('somebody');
    await page.getByRole('button', { name: 'Look up' }).click();
    await isSaid('contacts');
    expect(seen.size).toBe(7);
    await page.leave();
  }, 120_000);

  it('lead from a campaign that is not known to those with similar ids', async () => {
    const page = await stage.opened();
    await settled(page, 'campaigns/nobody-sent-it');
    const main = page.locator('main');
    await main.getByText('These are similar; case matters:').waitFor();
    // Mutation: advice about fields that an agent asks with.
    expect(await main.textContent()).not.toContain('similar_campaign_ids');
    await main.getByRole('listitem').getByRole('link').first().click();
    await page.getByText('Reply rate', { exact: true }).waitFor();
    expect(await main.textContent()).not.toContain('No message with this campaign id');
    await page.leave();
  }, 60_000);

  it('go through a list page by page, as the address says, and keep the focus', async () => {
    const called = await stage.installation.addTenant({ name: 'Much called' });
    await admit(stage.installation, called.companyId, owner.email);
    await stage.installation.database.query(
      `INSERT INTO audit_log (company_id, entry_id, occurred_at, key_id, actor_type, actor_id, tool, status, latency_ms,
                              input_sha256, output_sha256, request_id)
       SELECT $1, gen_random_uuid(), '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 minute', 'KEY', 'agent',
              'caller-' || n, 'get_bandit_state', 'success', 5, sha256('in'), sha256('out'), 'r'
         FROM generate_series(1, 60) n`,
      [called.companyId],
    );
    const page = await stage.opened();
    await settled(page, 'audit', called.companyId);
    const shows = (n: number, caller: number) =>
      waitUntil(`page ${n}`, async () => {
        const text = (await page.locator('main').textContent()) ?? '';
        return text.includes(`Page ${n}`) && text.includes(`agent caller-${caller}`);
      });
    const focused = () => inPage<string>(page, 'document.activeElement.textContent');
    await shows(1, 60);
    await page.getByRole('button', { name: 'Next page' }).focus();
    // Somebody impatient: the second time before the page has come.
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/intelligence/audit*', async (route) => {
      await late;
      await route.continue();
    });
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('Enter');
    await page.getByText('Page 2', { exact: true }).waitFor();
    // Mutation: the list is taken away while the next page is read.
    expect(await page.locator('main').textContent()).toContain('agent caller-60');
    answer();
    await shows(2, 35);
    await page.keyboard.press('Enter');
    await shows(3, 10);
    // Mutation: a button at an end can no longer be focused.
    expect(await focused()).toBe('Next page');
    await page.keyboard.press('Enter');
    await shows(3, 10);
    await page.reload();
    await shows(3, 10);
    await page.goBack();
    await shows(2, 35);
    await page.getByRole('button', { name: 'Previous page' }).click();
    await shows(1, 60);
    await settled(page, `audit?pages=${encodeURIComponent('["nonsense"]')}`, called.companyId);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await shows(1, 60);
    // Another company's page is awaited, and nothing of this one is shown meanwhile.
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/c/${empty.companyId}/intelligence/audit*`, async (route) => {
      await asked;
      await route.continue();
    });
    await inPage(page, `history.pushState({}, '', '/c/${empty.companyId}/audit')`);
    await page.locator(`nav a[href$="${empty.companyId}/audit"]`).first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain('caller-');
    answer();
    await page.leave();
  }, 60_000);

  it('without a network fail at once, and do nothing later', async () => {
    const page = await stage.opened({});
    await settled(page, 'contacts');
    await page.context().setOffline(true);
    await page.getByLabel('Contact id or e-mail address').fill('somebody');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('The console does not answer. Check the connection.').waitFor();
    await page.context().setOffline(false);
    await settled(page, 'data');
    await page.getByLabel('Recipient id').fill('somebody');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.context().setOffline(true);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await dialog.getByText('The console does not answer. Check the connection.').waitFor();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.context().setOffline(false);
    // What is asked for now is read, and nobody is deleted.
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await waitUntil('the overview to be read', async () =>
      sent.some((request) => request.endsWith('/claims')),
    );
    expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
    await page.leave();
  }, 60_000);

  it('delete the recipient whose id was typed, blanks and all', async () => {
    const page = await stage.opened();
    const bodies: unknown[] = [];
    await page.route('**/erasures', (route) => {
      bodies.push(route.request().postDataJSON());
      return route.fulfill({ json: { deleted: 0, suppression: 'none' } });
    });
    await settled(page, 'data');
    await page.getByLabel('Recipient id').fill(' pad ');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('0 events deleted.').waitFor();
    expect(bodies).toEqual([expect.objectContaining({ recipientId: ' pad ' })]);
    await page.leave();
  }, 60_000);

  it('say so where a script of another release is gone', async () => {
    const page = await stage.opened({});
    await page.route('**/assets/index-*.js', (route) => route.fulfill({ status: 404, json: {} }));
    await page.goto(`${origin}/c/${own.companyId}`);
    await page.getByRole('alert').getByText('The console could not be loaded.').waitFor();
    await page.unroute('**/assets/index-*.js');
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { level: 1, name: 'What your outreach has taught so far' }).waitFor();
    await page.leave();
  }, 60_000);

  it('are named by what they show and whose it is', async () => {
    const page = await stage.opened();
    const titleOf = async (path: string) => {
      await settled(page, path);
      return page.title();
    };
    const { companies } = (await owner.get('/api/me')).body as {
      companies: { companyId: string; name: string }[];
    };
    const name = companies.find(({ companyId }) => companyId === own.companyId)?.name;
    expect(await titleOf('')).toBe(`Overview - ${name} - Outcomes`);
    expect(await titleOf('findings/TA-1')).toBe(`TA-1 - Findings - ${name} - Outcomes`);
    expect(await titleOf('data/import')).toBe(`Import - ${name} - Outcomes`);
    await page.goto(`${origin}/account`);
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    expect(await page.title()).toBe('Your account - Outcomes');
    await page.leave();
  }, 60_000);

  it('change the company by a button, not on the way through the list', async () => {
    const page = await stage.opened();
    await settled(page, 'rates');
    await page.getByLabel('Company').selectOption({ label: 'Empty company' });
    expect(new URL(page.url()).pathname).toBe(`/c/${own.companyId}/rates`);
    await page.getByRole('button', { name: 'Go to it' }).click();
    await page.waitForURL(`${origin}/c/${empty.companyId}`);
    await page.leave();
  }, 60_000);

  it('say that nobody was signed out where that failed', async () => {
    const page = await stage.opened();
    await page.route(/\/api\/sessions?$/, (route) => route.abort());
    await settled(page, 'contacts');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in:').waitFor();
    await page.goto(`${origin}/account`);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('You are still signed in everywhere:').waitFor();
    await page.leave();
  }, 60_000);

  it('do not take a console that is away for nobody signed in', async () => {
    const page = await stage.opened();
    await page.route('**/api/me', (route) =>
      route.fulfill({ status: 503, json: { error: 'SERVICE_UNAVAILABLE', message: 'Try again later.' } }),
    );
    await page.goto(origin);
    await page.getByText('Try again later.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.unroute('**/api/me');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.waitForURL(/\/c\//);
    await page.leave();
  }, 60_000);

  it('lead to the sign-in where a session ends under an open page', async () => {
    const page = await stage.opened();
    await settled(page, 'contacts');
    await page.route('**/intelligence/contacts/**', (route) =>
      route.fulfill({ status: 401, json: { error: 'NOT_SIGNED_IN', message: 'Sign in.' } }),
    );
    await page.getByLabel('Contact id or e-mail address').fill('somebody');
    await page.getByRole('button', { name: 'Look up' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await alert.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.leave();
  }, 60_000);

  it('list claims whose size is not known yet', async () => {
    const page = await stage.opened();
    const { body } = await owner.get(`/api/c/${own.companyId}/intelligence/recommendations?limit=51`);
    const [first] = body.recommendations as object[];
    const recommendations = Array.from({ length: 14 }, (_, at) => ({
      ...{
        ...first,
        code: `TA-${at + 1}`,
        title: `Pattern ${at + 1}`,
        evidence_tier: 'confirmed',
        evidence: null,
      },
    }));
    await page.route('**/intelligence/recommendations?*', (route) =>
      route.fulfill({ json: { ...(body as object), recommendations } }),
    );
    await settled(page, '');
    // Mutation: documents of an earlier version read as if nothing were confirmed.
    expect(await page.locator('[data-finding]').count()).toBe(12);
    await page.getByRole('link', { name: '2 more under Findings' }).click();
    await page.locator('[data-finding="TA-14"]').getByText('how large it is follows').waitFor();
    await page.getByRole('link', { name: 'Pattern 14' }).click();
    await page.getByText('confirmed: how large it is follows with the next analysis.').waitFor();
    await page.leave();
  }, 60_000);

  it('say that settings were saved', async () => {
    const page = await stage.opened();
    await settled(page, 'settings', empty.companyId);
    await page.getByLabel('Name').fill('Renamed company');
    await page.getByRole('button', { name: 'Save' }).click();
    // Mutation: the form that holds what was read anew says nothing.
    await waitUntil('the form to be made anew', () =>
      inPage<boolean>(page, `document.querySelector('#company-name').defaultValue === 'Renamed company'`),
    );
    expect(await page.getByText('Saved.').count()).toBe(1);
    await page.getByLabel('Name').fill('Empty company');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitUntil('the form to be made anew', () =>
      inPage<boolean>(page, `document.querySelector('#company-name').defaultValue === 'Empty company'`),
    );
    await page.leave();
  }, 60_000);

  it('date every claim, and list it, however many hints came after it', async () => {
    const { companyId } = await stage.installation.addTenant({ name: 'Of many hints' });
    await admit(stage.installation, companyId, owner.email);
    const { database } = stage.installation;
    const plant = (code: string, count: number, tier: string, since: string) =>
      database.query(
        `INSERT INTO claims (company_id, code, number, tier, is_up, since, reason, e_value, odds_ratio, odds_ratio_low,
           odds_ratio_high, messages)
         SELECT $1, $2, n, $3, true, $4::timestamptz + n * interval '1 hour', 'found', 30, 1.5, 1.2, 1.9, 800
         FROM generate_series(1, $5::int) AS n`,
        [companyId, code, tier, since, count],
      );
    const [confirmed] = (await owner.get(`/api/c/${own.companyId}/intelligence/recommendations?limit=51`))
      .body.recommendations as { code: string }[];
    const code = confirmed?.code ?? '';
    await plant(code, 1, 'confirmed', '2025-03-04');
    await plant('XX-1', 600, 'directional', '2026-01-01');
    const page = await stage.opened();
    await settled(page, `findings/${code}`, companyId);
    await page.locator(`[data-claim="${code} 1"]`).waitFor();
    await settled(page, 'ledger', companyId);
    await page.locator(`[data-claim="${code} 1"]`).waitFor();
    await page.getByLabel('With hints').check();
    await page.getByText('These are the newest 500 of 601 changes.').waitFor();
    const moreOfThem = isFullForm() ? [] : ['tr:nth-child(n + 21)'];
    expect(await accessibilityFaults(page, ...moreOfThem)).toEqual([]);
    // The findings of another company, of which the dates are those of this one.
    const { body } = await owner.get(`/api/c/${own.companyId}/intelligence/recommendations?limit=51`);
    await page.route('**/intelligence/recommendations*', (route) => route.fulfill({ json: body as object }));
    await settled(page, 'findings', companyId);
    await page.locator(`[data-finding="${code}"]`, { hasText: ' since 4 Mar 2025' }).waitFor();
    expect(page.faults).toEqual([]);
    await page.leave();
  }, 60_000);

  it('show each decision at an address of its own', async () => {
    await stage.installation.database.query(
      'UPDATE workflow_decisions SET inputs = $2, result = $3 WHERE company_id = $1',
      [own.companyId, FROZEN?.inputs, FROZEN?.result],
    );
    const page = await stage.opened();
    await settled(page, 'decisions');
    await page.getByRole('region', { name: 'Decisions' }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Decision', exact: true }).waitFor();
    const decisionId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('heading', { name: decisionId }).waitFor();
    const { body } = await owner.get(`/api/c/${own.companyId}/decisions/${decisionId}`);
    await page.locator('main').getByText(String(body.rationale)).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(page.faults).toEqual([]);
    const elsewhere = await owner.get(`/api/c/${empty.companyId}/decisions/${decisionId}`);
    expect([elsewhere.status, elsewhere.body.error]).toEqual([404, 'DECISION_NOT_FOUND']);
    expect((await owner.get(`/api/c/${own.companyId}/decisions/nothing`)).status).toBe(404);
    await page.leave();
  }, 60_000);

  it('draw the numbers that the API says', async () => {
    const page = await stage.opened();
    await settled(page, 'rates');
    const marks = await inPage<object[]>(
      page,
      `[...document.querySelectorAll('[data-mean]')].map((mark) => ({ ...mark.dataset }))`,
    );
    const answer = await owner.get(`/api/c/${own.companyId}/intelligence/bandit?top_n=100`);
    const arms = answer.body.arms as Record<string, number>[];
    expect(marks).toEqual(
      arms.map((arm) => ({ mean: `${arm.posterior_mean}`, low: `${arm.ci_low}`, high: `${arm.ci_high}` })),
    );
    expect(marks.length).toBeGreaterThan(0);
    const ends = await inPage<number[]>(
      page,
      `[...document.querySelectorAll('[data-mean]')].flatMap((mark) => [mark.x1, mark.x2].map((x) => x.baseVal.value))`,
    );
    // Mutation: marks carry the right numbers and stand beside their place.
    expectNear(
      ends,
      arms.flatMap((arm) => [arm.ci_low ?? NaN, arm.ci_high ?? NaN]).map(await placesOn(page, Number)),
    );
    await settled(page, 'findings');
    const ratios = await inPage<string[]>(
      page,
      `[...document.querySelectorAll('[data-odds-ratio]')].map((mark) => mark.dataset.oddsRatio)`,
    );
    const { body } = await owner.get(`/api/c/${own.companyId}/intelligence/recommendations?limit=51`);
    const said = (body.recommendations as { evidence: { odds_ratio: number } }[]).map(
      ({ evidence }) => `${evidence.odds_ratio}`,
    );
    expect(ratios).toEqual(said);
    const centres = await inPage<number[]>(
      page,
      `[...document.querySelectorAll('[data-odds-ratio]')].map((mark) => mark.cx.baseVal.value)`,
    );
    expectNear(centres, said.map(Number).map(await placesOn(page, Math.log)));
    const shown = (selector: string, value: string) =>
      inPage<string[]>(
        page,
        `[...document.querySelectorAll('${selector}')].map((mark) => mark.dataset.${value})`,
      );
    const ask = async (path: string) => (await owner.get(`/api/c/${own.companyId}/${path}`)).body;
    await settled(page, 'findings/TA-1');
    const { weeks } = (await ask('evidence/TA-1')) as EvidencePath;
    expect(weeks).toHaveLength(12);
    // Mutation: a week is drawn at the place of another.
    expect(await shown('[data-week]', 'week')).toEqual(weeks.map(({ week }) => week));
    expect(await shown('[data-week]', 'oddsRatio')).toEqual(weeks.map(({ oddsRatio }) => `${oddsRatio}`));
    expect(await shown('[data-log-e]', 'logE')).toEqual(weeks.map(({ logE }) => `${logE}`));
    const tone = (await ask('patterns/chunks/tone')) as AnalysisRecord;
    const { levels } = tone.data.analyses.tone as { levels: { level: string }[] };
    expect(await shown('[data-level]', 'level')).toEqual(levels.map(({ level }) => level));
    await settled(page, 'drift');
    const { channels } = (await ask('daily')) as DailySeries;
    const days = channels.flatMap((channel) => channel.days);
    expect(days.length).toBeGreaterThan(5);
    expect(await shown('[data-day]', 'replies')).toEqual(days.map(({ replies }) => `${replies}`));
    await settled(page, 'usage');
    const { keys } = (await ask('usage')) as CompanyUsage;
    expect(await shown('[data-used]', 'used')).toEqual(keys.map(({ used }) => `${used}`));
    await settled(page, 'recipients');
    const served = (await ask('patterns/recipients')) as RecipientAnalysis;
    const values = Object.values(served.charts).flatMap(
      (chart) => (chart as { datasets: { data: number[] }[] }).datasets[0]?.data ?? [],
    );
    expect((await shown('[data-served]', 'served')).sort()).toEqual(values.map(String).sort());
    expect(page.faults).toEqual([]);
    await page.leave();
  }, 60_000);

  describe('import', () => {
    const opened = async (company: string) => {
      const page = await stage.opened();
      await settled(page, 'data/import', company);
      const bodies: string[] = [];
      page.context().on('request', (request) => bodies.push(request.postData() ?? ''));
      return { page, bodies };
    };
    const upload = async (page: Page, rows: readonly Readonly<Record<string, unknown>>[]) => {
      const columns = Object.keys(rows[0] ?? {});
      const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
      const text = lines.map((line) => line.map((cell) => `"${cell}"`).join(',')).join('\n');
      const file = { name: 'history.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.getByLabel('CSV file').setInputFiles(file);
    };
    const sent = async (page: Page) => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('All is sent.').waitFor();
      return (await page.getByTestId('progress').textContent()) ?? '';
    };

    it('takes the columns that somebody maps, and nothing else leaves the tab', async () => {
      const { page, bodies } = await opened(empty.companyId);
      const rows = Array.from({ length: 620 }, (_, n) => ({
        ...{
          Person: `p-${n}`,
          Via: 'email',
          Nth: '0',
          Sent: '2026-01-05T09:00:00Z',
          Note: 'SecretOfTheFile',
        },
        ...{
          Result: n % 20 === 0 ? 'responded' : 'no_response',
          When: n === 7 ? 'never' : '2026-01-20T09:00:00Z',
        },
      }));
      await upload(page, rows);
      for (const [field, column] of Object.entries({
        ...{ recipient_id: 'Person', channel: 'Via', sequence_step: 'Nth', sent_at: 'Sent' },
        ...{ outcome: 'Result', outcome_at: 'When' },
      }))
        await page.getByLabel(`Column for ${field}`, { exact: true }).selectOption(column);
      await page.getByText('Not sent: Note.').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await sent(page)).toMatch(
        /^620 rows read, 619 events accepted, 0 of them known before, 1 rejected, 0 rows told nothing/,
      );
      await page.getByRole('link', { name: '1 rows as CSV' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // The mapping is remembered, and a second time changes nothing.
      await upload(page, rows);
      expect(await sent(page)).toMatch(/^620 rows read, 619 events accepted, 619 of them known before/);
      const [stored] = await stage.installation.database.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM outcome_events WHERE company_id = $1',
        [empty.companyId],
      );
      expect(stored).toEqual({ n: 619 });
      // Mutation: whole rows are sent, and the server is left to forget the rest.
      expect(bodies.filter((body) => body.includes('p-619')).length).toBeGreaterThan(0);
      expect(bodies.join()).not.toContain('SecretOfTheFile');
      expect(page.faults).toEqual([]);
      await page.leave();
    }, 90_000);

    it('takes an opt-out that a row tells of beside something else, once', async () => {
      const { companyId } = await stage.installation.addTenant({ name: 'Beside' });
      await admit(stage.installation, companyId, owner.email);
      const { page } = await opened(companyId);
      const row = (Timestamp: string, left: string) => ({
        ...{
          Timestamp,
          Activity: 'Email Sent',
          Lead: `${left}ada@example.com`,
          Campaign: 'S',
          Step: 'Step 1',
        },
        'Unsubscribed At': left && '2026-01-06T09:00:00Z',
      });
      const rows = [row('2026-01-05T09:00:00Z', 'left-'), row('2026-01-07T09:00:00Z', '')];
      const ofCampaign = () => page.getByLabel('Campaign id, if rows do not have it').fill('c');
      await upload(page, rows);
      await ofCampaign();
      expect(await sent(page)).toMatch(/^2 rows read, 3 events accepted, 0 of them known before, 0 rejected/);
      await upload(page, rows);
      await ofCampaign();
      expect(await sent(page)).toMatch(/^2 rows read, 3 events accepted, 3 of them known before, 0 rejected/);
      await page.leave();
    }, 60_000);

    it('takes opt-outs and bounces of rows that it skips or rejects, once, and says so', async () => {
      const { companyId } = await stage.installation.addTenant({ name: 'Skipped' });
      await admit(stage.installation, companyId, owner.email);
      const { page } = await opened(companyId);
      const row = (lead_email: string, more: Readonly<Record<string, string>>) => ({
        ...{ lead_email, sequence_number: '1', sent_time: '2026-01-05 09:00:00', reply_time: '' },
        ...{ is_unsubscribed: 'false', is_bounced: 'false', ...more },
      });
      const rows = [
        row('ada@example.com', {}),
        row('ben@example.com', { sent_time: '', is_unsubscribed: 'true' }),
        row('cyd@example.com', { sequence_number: 'third', is_bounced: 'true' }),
        // What was never sent reached nobody.
        row('dan@example.com', { sent_time: '', is_bounced: 'true' }),
      ];
      const taken = '2 opt-outs and bounces taken from rows that were skipped or rejected';
      for (const known of [0, 3]) {
        await upload(page, rows);
        await page.getByLabel('Campaign id, if rows do not have it').fill('111');
        expect(await sent(page)).toBe(
          `4 rows read, 3 events accepted, ${known} of them known before, 1 rejected, 1 rows told nothing, ${taken}. All is sent.`,
        );
      }
      await page.leave();
    }, 60_000);

    it('knows the export of a tool by its columns', async () => {
      const { companyId } = await stage.installation.addTenant({ name: 'Of a tool' });
      await admit(stage.installation, companyId, owner.email);
      const { page, bodies } = await opened(companyId);
      const example = EXAMPLES.find(({ tool, route }) => tool === 'smartlead' && route === 'statistics');
      await upload(page, example?.records ?? []);
      await page.getByLabel('Campaign id, if rows do not have it').fill('111');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await sent(page)).toMatch(
        /^7 rows read, 6 events accepted, 0 of them known before, 2 rejected, 1 rows told nothing/,
      );
      expect(bodies.join()).not.toContain('Never leaves');
      expect(page.faults).toEqual([]);
      await page.leave();
    }, 60_000);
  });
});
