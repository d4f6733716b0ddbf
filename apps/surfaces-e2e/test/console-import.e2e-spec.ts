import { OUTCOME_EVENT_FIELDS, OUTCOMES, TIME_MEANINGS } from '@outcomes/contracts';
import { namedEvent, type NamedEvent } from '@outcomes/source-profiles';
import { waitUntil } from '@outcomes/testing';
import type { Dialog, Route } from 'playwright-core';
import { accessibilityFaults, inPage } from './console-browser';
import { ConsoleStage, withoutChromium } from './console-stage';
import { admit } from './console-visitor';

type Row = Readonly<Record<string, string>>;

/** Long enough for the repeats of a request that is not answered in time. */
const PATIENCE = { timeout: 20_000 };
const SENDS = /\/imports\/(csv|events)$/;
/** As many rows as a request carries, and some more. */
const TWO_BATCHES = 620;

const row = (name: string, own: Row = {}): Row => ({
  ...{ recipient_id: name, channel: 'email', sequence_step: '0', sent_at: '2026-01-05T09:00:00Z' },
  ...{ outcome: 'no_response', outcome_at: '2026-01-20T09:00:00Z' },
  ...own,
});
const MEBIBYTE = 1_048_576;
const rowsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => row(`${name}-${n}`));

describe('an import in the console', () => {
  const missing = withoutChromium();
  if (missing) {
    it('needs Chromium', missing);
    return;
  }
  let stage: ConsoleStage;
  let companyId = '';
  let page: Awaited<ReturnType<ConsoleStage['opened']>>;

  beforeAll(async () => {
    stage = await ConsoleStage.set();
  }, 120_000);
  afterAll(() => stage.clear());
  beforeEach(async () => {
    ({ companyId } = await stage.installation.addTenant({ name: 'Importing' }));
    await admit(stage.installation, companyId, stage.owner.email);
    page = await stage.opened();
    await stage.settled(page, 'data/import', companyId);
  });
  afterEach(async () => {
    expect(page.faults).toEqual([]);
    await page.leave();
  });

  const put = (name: string, text: string) =>
    page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const textOf = (rows: readonly Row[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const lines = [columns, ...rows.map((cells) => columns.map((column) => cells[column] ?? ''))];
    return lines.map((cells) => cells.join(',')).join('\n');
  };
  const choose = async (name: string, rows: readonly Row[]) => {
    await put(name, textOf(rows));
    await page.getByText('The file has the columns of this service').waitFor();
  };
  const stored = () =>
    stage.installation.database.query<{ id: string }>(
      'SELECT DISTINCT recipient_id AS id FROM outcome_events WHERE company_id = $1 ORDER BY id',
      [companyId],
    );
  const send = () => page.getByRole('button', { name: 'Send' }).click();
  const progress = async () => (await page.getByTestId('progress').textContent()) ?? '';
  const refuse = (route: Route, status: number, headers: Row = {}, body = '<html>A proxy</html>') =>
    route.fulfill({ status, headers: { 'Content-Type': 'text/html', ...headers }, body });
  /** Has the requests of the import answered by these, one after the other, and later ones by the console. */
  const answered = async (answers: readonly ((route: Route) => Promise<void>)[]) => {
    const at: number[] = [];
    await page.context().route(SENDS, async (route) => {
      const answer = answers[at.length];
      at.push(performance.now());
      await (answer ? answer(route) : route.continue());
    });
    return at;
  };
  const onPass = (route: Route) => route.continue();
  const gate = () => {
    let open = () => undefined as void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open: () => open() };
  };

  describe('of one file at a time', () => {
    it('takes neither another file nor the same again while it is sent', async () => {
      const { opened, open } = gate();
      const at = await answered([(route) => opened.then(() => route.continue())]);
      await choose('one.csv', rowsOf('one', 2));
      await send();
      await waitUntil('the request to be sent', () => Promise.resolve(at.length === 1));
      const [file, button] = [page.getByLabel('CSV file'), page.getByRole('button', { name: 'Send' })];
      expect([await file.isDisabled(), await button.isDisabled()]).toEqual([true, true]);
      expect(await accessibilityFaults(page)).toEqual([]);
      open();
      await page.getByText('All is sent.').waitFor();
      expect([await file.isDisabled(), await button.isDisabled()]).toEqual([false, false]);
      await send();
      await page.getByText('2 of them known before').waitFor();
    });

    it('says nothing of a file under the name of another', async () => {
      const gates = [gate(), gate()];
      const at = await answered(
        gates.map(
          ({ opened }) =>
            (route: Route) =>
              opened.then(() => route.continue()),
        ),
      );
      await choose('one.csv', [row('one', { outcome_at: 'never' }), ...rowsOf('one', TWO_BATCHES)]);
      await send();
      await waitUntil('the first file to be sent', () => Promise.resolve(at.length === 1));
      // What somebody does who is quicker than the page.
      await inPage(page, `document.getElementById('file').disabled = false`);
      await choose('two.csv', rowsOf('two', 3));
      await send();
      await waitUntil('the second file to be sent', () => Promise.resolve(at.length === 2));
      await inPage(
        page,
        `window.told = []; new MutationObserver(() => told.push(document.querySelector('main').textContent))
           .observe(document.body, { subtree: true, childList: true, characterData: true })`,
      );
      gates[0]?.open();
      await waitUntil('the first file to be stored', async () => {
        const [stored] = await stage.installation.database.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM outcome_events WHERE company_id = $1',
          [companyId],
        );
        return stored?.n === TWO_BATCHES;
      });
      gates[1]?.open();
      await page.getByText('All is sent.').waitFor();
      expect(await progress()).toMatch(/^3 rows read, 3 events accepted, 0 of them known before, 0 rejected/);
      // Mutation: progress, rejects and the end of the first file are told under the second.
      const told = await inPage<string[]>(page, 'told');
      expect(told.filter((text) => /Rejected|\b(499|500|620|621) /.test(text))).toEqual([]);
    });
  });

  it.each([
    ['a quote within a text', '"Quick question" for you'],
    ['a quote that nothing closes', '"Quick question'],
  ])('sends nothing of a file with %s, and says where it stands', async (_what, subject) => {
    const at = await answered([]);
    const rows = rowsOf('one', TWO_BATCHES).map((cells, n) => ({
      ...cells,
      subject: n === 600 ? subject : 's',
    }));
    await choose('one.csv', rows);
    await send();
    // Mutation: what stands behind the quote becomes one cell, and all is said to be sent.
    expect(await page.getByRole('alert').textContent()).toBe(
      'Row 601 is not readable as CSV: its quotes do not match. A quote within a text has to be doubled. Nothing was sent.',
    );
    expect(await progress()).toMatch(/^0 rows read/);
    expect(at).toEqual([]);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('reads every character of a large file as it was written', async () => {
    const name = (n: number) => `${n}-${'\u0436'.repeat(200)}`;
    const line = (id: string, note: string) => `${note},${Object.values(row(id)).join()}\n`;
    let text = `Note,${Object.keys(row('')).join()}\n`;
    // Every mebibyte ends within a recipient's id, and within one of its characters.
    for (let n = 1; n <= 11; n += 1) {
      const room = n * MEBIBYTE - Buffer.byteLength(text) - Buffer.byteLength(`,${n}-`) - 201;
      text += line(name(n), 'x'.repeat(room));
    }
    await put('large.csv', text);
    await page.getByText('Not sent: Note.').waitFor();
    await send();
    await page.getByText('All is sent.').waitFor(PATIENCE);
    const ids = Array.from({ length: 11 }, (_, n) => ({ id: name(n + 1) }));
    expect(new Set(await stored())).toEqual(new Set(ids));
  });

  it('knows every column of the service, and parts what is too large for a request', async () => {
    const at = await answered([]);
    const blank = Object.fromEntries(OUTCOME_EVENT_FIELDS.map((field) => [field, '']));
    const own = { word_count: '120', body_excerpt: 'Hello', body: '\u{1f600}'.repeat(10_000) };
    const rows = rowsOf('one', 150).map((cells) => ({ ...blank, ...cells, ...own }));
    await choose('one.csv', rows);
    await send();
    await page.getByText('All is sent.').waitFor(PATIENCE);
    expect(await progress()).toMatch(/^150 rows read, 150 events accepted, .* 0 rejected/);
    expect(at).toHaveLength(2);
    const words = await stage.installation.database.query(
      'SELECT DISTINCT word_count, body_excerpt FROM outcome_events WHERE company_id = $1',
      [companyId],
    );
    expect(words).toEqual([{ word_count: 120, body_excerpt: 'Hello' }]);
  });

  it('sends no column of metadata that somebody takes out', async () => {
    const bodies: string[] = [];
    await page.context().route(SENDS, (route) => {
      bodies.push(route.request().postData() ?? '');
      return route.continue();
    });
    await put('one.csv', textOf([row('one', { Note: 'n', 'metadata.salary': 'SecretOfTheFile' })]));
    await page.getByText('Not sent: Note.').waitFor();
    await page.getByLabel('Column for metadata.salary', { exact: true }).selectOption('none');
    await page.getByText('Not sent: Note, metadata.salary.').waitFor();
    await send();
    await page.getByText('All is sent.').waitFor();
    expect(bodies).toEqual([expect.not.stringContaining('SecretOfTheFile')]);
  });

  it('asks before the page is left while it sends, and only then', async () => {
    const { opened, open } = gate();
    await answered([(route) => opened.then(() => route.continue())]);
    const asked: string[] = [];
    const stay = (dialog: Dialog) => {
      asked.push(`${dialog.type()} ${dialog.message()}`);
      void dialog.dismiss();
    };
    page.on('dialog', stay);
    await choose('one.csv', rowsOf('one', 2));
    await send();
    await page.getByText('Keep this page open: the import ends with it.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const here = page.url();
    const leave = () => page.getByRole('link', { name: 'Data', exact: true }).click();
    const question = 'confirm Not everything is sent yet. Stop the import and leave this page?';
    await leave();
    await page.getByRole('link', { name: 'Import' }).click();
    // Mutation: the page is gone, and what was not sent with it.
    expect([asked, page.url()]).toEqual([[question], here]);
    await page.close({ runBeforeUnload: true });
    await waitUntil('the browser to ask', () => Promise.resolve(asked.length > 1));
    expect(asked[1]).toMatch(/^beforeunload/);
    open();
    await page.getByText('All is sent.').waitFor();
    expect(await stored()).toHaveLength(2);
    await leave();
    await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor();
    expect(asked).toHaveLength(2);
    page.off('dialog', stay);
  });

  describe('of a file of a tool', () => {
    const activity = (name: string, Timestamp: string): Row => ({
      ...{ Timestamp, Activity: name, Lead: 'ada@example.com', Campaign: 'S', Step: 'Step 1' },
    });
    const CONTACT = { Email: 'ada@example.com', 'Lead Status': 'Unsubscribed', 'Email Provider': 'x' };
    const SENT = activity('Email Sent', '2026-01-05T09:00:00Z');
    const ZONE = 'Time zone for times without one';
    const CAMPAIGN = 'Campaign id, if rows do not have it';
    const EXPORTED = 'Time of the export, for rows without a time';

    const UNCLEAR: readonly {
      readonly what: string;
      readonly rows: readonly Row[];
      readonly sentence: string;
      /** What is filled in then. */
      readonly given?: readonly [field: string, value: string];
    }[] = [
      {
        what: 'an opt-out without a time',
        rows: [CONTACT],
        sentence: '"unsubscribed" has no time (row 1). Give the time of the export below.',
        given: [EXPORTED, '2026-02-01T10:00'],
      },
      {
        what: 'no campaign',
        rows: [SENT],
        sentence: 'The rows do not contain the campaign (row 1). Give its id below.',
        given: [CAMPAIGN, 'c'],
      },
      {
        what: 'a time without a zone',
        rows: [SENT, activity('Email Sent', '2026-01-06 09:00')],
        sentence: 'Times in "Timestamp" have no zone (row 2). Give it below.',
        given: [ZONE, 'Europe/Berlin'],
      },
      {
        what: 'a date that may begin with the day or the month',
        rows: [SENT, activity('Email Sent', '04/05/2026 09:00')],
        sentence:
          'Dates in "Timestamp" may start with the day or the month (row 2). Export them as YYYY-MM-DD.',
      },
    ];
    it.each(UNCLEAR)(
      'sends nothing of rows with $what until somebody says what is meant',
      async ({ rows, sentence, given }) => {
        const at = await answered([]);
        await put('of-a-tool.csv', textOf(rows));
        if (given?.[0] !== CAMPAIGN) await page.getByLabel(CAMPAIGN).fill('c');
        if (given?.[0] === ZONE) await page.getByLabel(ZONE).fill('');
        await send();
        // Mutation: such rows are rejected one by one, the others are sent, and all is said to be.
        expect(await page.getByRole('alert').textContent()).toBe(`${sentence} Nothing was sent.`);
        expect(at).toEqual([]);
        expect(await accessibilityFaults(page)).toEqual([]);
        if (!given) return;
        await page.getByLabel(given[0]).fill(given[1]);
        await send();
        await page.getByText('All is sent.').waitFor();
        expect(await progress()).toContain(
          `${rows.length} rows read, ${rows.length} events accepted, 0 of them known before, 0 rejected`,
        );
      },
    );

    it('bounds what has no time by the newest of the file', async () => {
      await put('of-a-tool.csv', textOf([activity('Unsubscribed', ''), SENT]));
      await page.getByLabel(CAMPAIGN).fill('c');
      await send();
      await page.getByText('All is sent.').waitFor();
      expect(await progress()).toMatch(/^2 rows read, 2 events accepted, 0 of them known before, 0 rejected/);
      const left = await stage.installation.database.query(
        'SELECT outcome_at, outcome_at_is FROM outcome_events WHERE company_id = $1 AND outcome = $2',
        [companyId, OUTCOMES.indexOf('unsubscribed')],
      );
      const bound = {
        outcome_at: new Date(SENT['Timestamp'] ?? ''),
        outcome_at_is: TIME_MEANINGS.indexOf('not_after'),
      };
      expect(left).toEqual([bound]);
    });

    it('names every event by what it says, as the command line does', async () => {
      await put('of-a-tool.csv', textOf([SENT]));
      await page.getByLabel(CAMPAIGN).fill('c');
      const [request] = await Promise.all([page.waitForRequest(SENDS), send()]);
      const { events } = request.postDataJSON() as { events: NamedEvent[] };
      expect(events).toEqual(events.map(({ event_id: _id, ...said }) => namedEvent(said)));
      await page.getByText('All is sent.').waitFor();
      expect(await progress()).toMatch(/^1 rows read, 1 events accepted/);
    });

    it('says what is wrong with a row', async () => {
      await put('of-a-tool.csv', textOf([activity('Email Sent', 'never'), SENT]));
      await page.getByLabel(CAMPAIGN).fill('c');
      await send();
      await page.getByText('All is sent.').waitFor();
      const faults = page.getByRole('region', { name: 'Rejected rows' }).getByRole('row');
      expect((await faults.allTextContents()).slice(1)).toEqual([
        '1TimestampINVALID_TIME not a date or time in a form that the profile reads, or one that does not exist.',
      ]);
    });
  });

  it('rejects a row with more or fewer cells than the header, takes an opt-out in it, and sends the others', async () => {
    const rows = [...rowsOf('one', 3), row('left', { outcome: 'unsubscribed' })];
    const [header = '', one = '', two = '', three = '', left = ''] = textOf(rows).split('\n');
    const fewer = three.slice(0, three.lastIndexOf(','));
    await put('one.csv', [header, `${one},more`, two, fewer, `${left},more,still more`].join('\n'));
    await send();
    await page.getByText('All is sent.').waitFor();
    expect(await progress()).toMatch(
      /^4 rows read, 1 events accepted, 0 of them known before, 3 rejected, 0 rows told nothing, 1 opt-outs and bounces taken/,
    );
    const faults = page.getByRole('region', { name: 'Rejected rows' }).getByRole('row');
    const words = (row: number, cells: number) =>
      `${row}INVALID_ROW The row has ${cells} cells, the header 6. Quote cells that hold commas.`;
    expect((await faults.allTextContents()).slice(1)).toEqual([words(1, 7), words(3, 5), words(4, 8)]);
    // Mutation: such rows are rejected in the browser and not sent.
    const kept = await stage.installation.database.query(
      'SELECT recipient_id AS id, outcome FROM outcome_events WHERE company_id = $1 ORDER BY id',
      [companyId],
    );
    const [optOut, silence] = [OUTCOMES.indexOf('unsubscribed'), OUTCOMES.indexOf('no_response')];
    expect(kept).toEqual([
      { id: 'left', outcome: optOut },
      { id: 'one-1', outcome: silence },
    ]);
  });

  it('takes the rejects of an import as they were before a spreadsheet was kept from running them', async () => {
    const rejected = (name: string): Row => ({
      source_row: '2',
      fault: 'channel INVALID_VALUE',
      ...row(name),
    });
    await choose('rejects.csv', ["'@jane", "''-lisa", "'quoted'", 'plain'].map(rejected));
    await send();
    await page.getByText('All is sent.').waitFor();
    expect((await stored()).map(({ id }) => id).sort()).toEqual(["'-lisa", "'quoted'", '@jane', 'plain']);
  });

  it('leaves the apostrophes of any other file', async () => {
    await choose('own.csv', [row("'@jane")]);
    await send();
    await page.getByText('All is sent.').waitFor();
    expect(await stored()).toEqual([{ id: "'@jane" }]);
  });

  it('counts a row with several faults once', async () => {
    await choose('one.csv', [row('one'), row('two', { channel: 'pigeon', outcome_at: 'never' })]);
    await send();
    await page.getByText('All is sent.').waitFor();
    expect(await progress()).toMatch(/^2 rows read, 1 events accepted, 0 of them known before, 1 rejected/);
    await page.getByRole('link', { name: '1 rows as CSV' }).waitFor();
    const faults = page.getByRole('region', { name: 'Rejected rows' }).getByRole('row');
    expect((await faults.allTextContents()).slice(1).sort()).toEqual([
      expect.stringMatching(/^2channel/),
      expect.stringMatching(/^2outcome_at/),
    ]);
  });

  describe('of which requests fail', () => {
    it('sends them again, not before the console asks for it', async () => {
      const at = await answered([
        (route) => refuse(route, 503, { 'Retry-After': '2' }),
        (route) => route.abort('connectionreset'),
        (route) => refuse(route, 502),
        onPass,
        (route) => refuse(route, 429, { 'Retry-After': '0' }),
      ]);
      await choose('one.csv', rowsOf('one', TWO_BATCHES));
      await send();
      await page.getByText('The console does not answer. It is tried again.').waitFor();
      await page.getByText('All is sent.').waitFor(PATIENCE);
      expect(await progress()).toMatch(/^620 rows read, 620 events accepted, 0 of them known before/);
      expect(at).toHaveLength(6);
      expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_999);
    }, 60_000);

    it('ends with what was rejected so far and what to do, and loses nothing', async () => {
      const soon = (route: Route) => refuse(route, 503, { 'Retry-After': '0' });
      const at = await answered([onPass, ...Array.from({ length: 6 }, () => soon)]);
      const rows = [row('first', { outcome_at: 'never' }), ...rowsOf('one', TWO_BATCHES)];
      await choose('one.csv', rows);
      await send();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      // Mutation: the import goes on for ever, or ends with the first refusal.
      expect(at).toHaveLength(7);
      expect(await alert.textContent()).toBe(
        'The console did not take the rows in 6 attempts. Send the same file again later: what was accepted is kept, and nothing is counted twice.',
      );
      expect(await progress()).toMatch(/^621 rows read, 499 events accepted, .*, 1 rejected, .*nothing\.$/);
      await page.getByRole('link', { name: '1 rows as CSV' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await send();
      await page.getByText('All is sent.').waitFor();
      expect(await progress()).toMatch(
        /^621 rows read, 620 events accepted, 499 of them known before, 1 rej/,
      );
      expect(await page.getByRole('alert').count()).toBe(0);
    }, 60_000);

    it.each([
      ['a wait that is too long', 429, { 'Retry-After': '3600' }],
      ['a page of somebody else', 200, {}],
      ['a refusal that stays one', 413, {}],
    ])('does not repeat what ends in %s', async (_what, status, headers) => {
      const at = await answered([(route) => refuse(route, status, headers)]);
      await choose('one.csv', rowsOf('one', 1));
      await send();
      const said = await page.getByRole('alert').textContent();
      expect(said).toMatch(/^(?!.*Unexpected token).*Send the same file again/);
      expect(at).toHaveLength(1);
    });
  });

  it('does not call counted what was put aside', async () => {
    await choose('one.csv', rowsOf('one', 2));
    await send();
    await page.getByText('2 events wait to be counted.').waitFor();
    // As after five failures of the worker, none of which runs here.
    await stage.installation.database.query(
      'UPDATE ingest_batches SET failed_attempts = 5 WHERE company_id = $1',
      [companyId],
    );
    const became = page.locator('section', { hasText: 'What becomes of it' });
    await became.getByText('1 batches failed five times and are not counted').waitFor();
    expect(await became.textContent()).toContain('outcomes batches retry');
    expect(await became.textContent()).not.toContain('Everything is counted.');
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
