import { sharedService } from './shared-services';
import { schemaJudge, strictSchema } from './strict-schema';
import { podsPerService } from './test-servers.config';

interface Content {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** Refusals that several operations give. */
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

export interface DescribedSurface {
  /** As in startSharedServices. */
  readonly app: string;
  /** The committed description. */
  readonly text: string;
  /** Method and path of every endpoint that has tests. */
  readonly tested: readonly string[];
}

/** The tests that the description of an API and its browsable page pass, whatever the API is. */
export function itDescribesItself({ app, text, tested }: DescribedSurface): void {
  const whole = JSON.parse(text) as Description;
  const { paths, components } = whole;
  const operations = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
  /** Origin and base path of a service that runs. */
  const base = () => sharedService(app).baseUrl;

  describe('the API description', () => {
    it(`is served as it is committed; after a change that is meant, run "npm run openapi -w apps/${app}"`, async () => {
      const answer = await fetch(`${base()}/openapi.json`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual(whole);
    });

    it('describes every endpoint that is tested, and no other', () => {
      expect([...operations.keys()].sort()).toEqual([...tested].sort());
    });

    it('gives every operation an id of its own, a summary and a description', () => {
      const ids = [...operations.values()].map(({ operationId }) => operationId);
      expect(new Set(ids).size).toBe(operations.size);
      for (const operation of operations.values()) {
        expect(operation.summary).toMatch(/\S{3}/);
        expect(operation.description).toMatch(/\S{3}.*\.$/);
      }
    });

    it('has an example of every answer, and each fits its schema, as strictly as the service keeps it', () => {
      const judge = schemaJudge();
      // Whoever makes a client by an example must not meet a field or a value that never comes.
      judge.addSchema({ $id: 'api', ...(strictSchema(whole) as Description) });
      const answers = Object.entries(paths)
        .flatMap(([path, item]) =>
          Object.entries(item)
            .filter(([method]) => method !== 'parameters')
            .flatMap(([method, { responses }]) =>
              Object.entries(responses).map(([status, given]) => {
                const place = `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`;
                return [status, given.$ref ?? place, given] as const;
              }),
            ),
        )
        // No body, so nothing to show.
        .filter(([status]) => status !== '304');
      expect(answers.length).toBeGreaterThan(0);
      for (const [status, place, given] of answers) {
        const { content } = given.$ref === undefined ? given : sharedResponse(given.$ref);
        const { schema, example, examples = {} } = content?.['application/json'] ?? {};
        const shown = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples).map(({ value }) => value),
        ];
        expect([status, shown]).not.toEqual([status, []]);
        expect([place, judge.validateSchema(schema ?? {})]).toEqual([place, true]);
        // By its place in the description: whatever several answers refer to is compiled once for all of them.
        const fits = judge.getSchema(`api${encodeURI(place)}/content/application~1json/schema`);
        for (const value of shown) expect([value, fits?.(value)]).toEqual([value, true]);
      }
    });

    it('refers only to what it has', () => {
      for (const [, reference] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
        const found = (reference ?? '')
          .split('/')
          .reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], whole);
        expect([reference, found ?? null]).not.toEqual([reference, null]);
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
      const remaining = [first, again].map((answer) => Number(answer.headers.get('ratelimit-remaining')));
      expect(again.status).toBe(304);
      expect(remaining[1]).toBeLessThan(Number(remaining[0]));
      const other = await fetch(url, { method: 'POST' });
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });

  function sharedResponse(reference: string): Response {
    return components.responses[reference.split('/').at(-1) ?? ''] ?? {};
  }
}
