import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { podsPerService, sharedServices } from '@outcomes/testing';
import { ENDPOINT_NAMES } from './endpoints';

const committed = readFileSync(join(__dirname, '../openapi.json'), 'utf8');
const description = JSON.parse(committed) as {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: object } }>>;
};
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema: object;
        readonly example?: unknown;
        readonly examples?: Record<string, { readonly value: unknown }>;
      }
    >
  >;
}
/** Responses that are the same wherever their status occurs. */
const shared = (JSON.parse(committed) as { components: { responses: Record<string, Response> } }).components
  .responses;
/** Origin and base path of a service that runs. */
const base = () => sharedServices('read-api').well;

describe('the API description', () => {
  it('is served as it is committed; after a change that is meant, run "npm run openapi -w apps/read-api"', async () => {
    const answer = await fetch(`${base()}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual(JSON.parse(committed));
  });

  it('describes every endpoint that is tested, and no other', () => {
    expect(Object.keys(description.paths).sort()).toEqual([...ENDPOINT_NAMES].sort());
  });

  it('gives every operation an id of its own, a summary and a description', () => {
    const operations = Object.values(description.paths).map(
      ({ get }) => get as { operationId?: string; summary?: string; description?: string },
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const operation of operations) {
      expect(operation).toMatchObject({
        summary: expect.stringMatching(/\S{3}/),
        description: expect.stringMatching(/\S{3}.*\.$/),
      });
    }
  });

  it('has an example of every answer, and each fits its schema', () => {
    const ajv = new Ajv2020({ strict: false });
    formats(ajv);
    ajv.addSchema({ $id: 'api', ...JSON.parse(committed) });
    const answers = Object.values(description.paths)
      .map(({ get }) => get)
      .flatMap(({ responses }) => Object.entries(responses as Record<string, Response>))
      // No body, so nothing to show.
      .filter(([status]) => status !== '304');
    expect(answers.length).toBeGreaterThan(0);
    for (const [status, given] of answers) {
      const { content } = '$ref' in given ? (shared[given.$ref?.split('/').at(-1) ?? ''] as Response) : given;
      const { schema, example, examples = {} } = content?.['application/json'] ?? {};
      const shown = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      expect([status, shown]).not.toEqual([status, []]);
      const fits = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
      for (const value of shown) expect([value, fits(value)]).toEqual([value, true]);
    }
  });

  it('refers only to what it has', () => {
    for (const [, reference] of committed.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
      const found = (reference ?? '')
        .split('/')
        .reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], description);
      expect([reference, found]).toEqual([reference, expect.anything()]);
    }
  });
});

describe('the browsable page', () => {
  it('loads nothing from elsewhere, and may not', async () => {
    const page = await fetch(`${base()}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    const html = await page.text();
    expect(html).not.toMatch(/https?:|<style|<script>|\son\w+=/);
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toEqual(expect.arrayContaining(['openapi.json', 'docs/swagger-ui.css', 'docs/start.js']));
    for (const file of files) {
      const answer = await fetch(new URL(file, `${base()}/docs`));
      expect([file, answer.status, (await answer.text()) !== '']).toEqual([file, 200, true]);
    }
  });

  it('counts against the window of the address, and is answered with 304 and 405 where it should be', async () => {
    const url = `${base()}/openapi.json`;
    const first = await fetch(url);
    await first.text();
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    let again = await fetch(url, { headers });
    // Each pod counts for itself before it shares, so the one that answered first is asked again.
    for (let pod = 1; pod < podsPerService(); pod += 1) again = await fetch(url, { headers });
    const remaining = [first, again].map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    expect(again.status).toBe(304);
    expect(remaining[1]).toBeLessThan(Number(remaining[0]));
    const other = await fetch(url, { method: 'POST' });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
