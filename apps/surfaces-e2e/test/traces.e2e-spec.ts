import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteFigures, waitUntil } from '@outcomes/testing';
import { exchange, rpc } from './exchange';
import { ConsoleVisitor, startConsole } from './console-visitor';
import { Installation } from './installation';
import { call, get } from './surface-requests';

interface Span {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** What collectors are sent, as far as it is looked at here (OTLP, JSON). */
interface Payload {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[];
  }[];
}

const EMAIL = 'canary.recipient@example.com';
const event = {
  channel: 'email',
  sequence_step: 0,
  recipient_id: 'canary-recipient',
  recipient_email: EMAIL,
  subject: 'canary subject',
  body: 'canary body',
  sent_at: '2026-05-01T09:00:00Z',
  outcome_at: '2026-05-02T09:00:00Z',
  outcome: 'responded',
};

describe('traces', () => {
  const sent: Buffer[] = [];
  let collector: Server;
  let installation: Installation;

  const spans = (): Span[] =>
    sent.flatMap((body) =>
      (JSON.parse(body.toString()) as Payload).resourceSpans.flatMap(({ resource, scopeSpans }) => {
        const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service: name ?? '' })));
      }),
    );

  beforeAll(async () => {
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        sent.push(Buffer.concat(chunks));
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    installation = await Installation.create({
      environment: { TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces` },
    });
  });
  afterAll(async () => {
    await installation.stop();
    await new Promise((resolve) => collector.close(resolve));
  });

  it('lead from a request through the queue to what it brings about, and say nothing personal', async () => {
    const [ingest, read, gateway, origin] = await Promise.all([
      installation.start('ingest-api'),
      installation.start('read-api'),
      installation.start('mcp-gateway'),
      startConsole(installation),
      installation.start('analysis-worker'),
    ]);
    const { apiKey } = await installation.addTenant();
    const authorization = (key: string) => ({ Authorization: `Bearer ${key}` });
    const post = (key: string) =>
      exchange({
        port: ingest.port,
        method: 'POST',
        path: '/ingest/events',
        headers: { ...authorization(key), 'Content-Type': 'application/json' },
        body: JSON.stringify(event),
      });
    const ask = (key: string) =>
      exchange({ port: ingest.port, method: 'POST', path: '/ingest/analysis', headers: authorization(key) });
    /** The spans of each trace that a request of ingest-api began. */
    const traces = (path: string) => {
      const all = spans();
      return all
        .filter(({ service, name }) => service === 'ingest-api' && name === path)
        .map(({ traceId }) => all.filter((span) => span.traceId === traceId));
    };
    const roots = (trace: readonly Span[]) => {
      const known = new Set(trace.map(({ spanId }) => spanId));
      return trace
        .filter(({ parentSpanId }) => !parentSpanId || !known.has(parentSpanId))
        .map(({ name }) => name);
    };
    const work = (trace: readonly Span[]) =>
      trace.filter(({ service }) => service === 'analysis-worker').map(({ name }) => name);
    /**
     * The spans that follow from one request, up to what the worker does for it. A message that Redis does not take in
     * time is left to a sweep, which no request leads to: then another company sends it, as a known event is not counted
     * again, and a company may ask for an analysis only once in five minutes.
     */
    const followed = async (
      path: string,
      done: RegExp,
      request: (key: string) => Promise<{ status: number }>,
    ) => {
      // A span ends after those within it, and may be sent after them.
      const whole = () =>
        traces(path).find(
          (trace) => roots(trace).length === 1 && work(trace).some((name) => done.test(name)),
        );
      let trace: readonly Span[] | undefined;
      for (let attempt = 0; attempt < 3 && !trace; attempt++) {
        const key = attempt === 0 ? apiKey : (await installation.addTenant()).apiKey;
        expect((await request(key)).status).toBe(202);
        trace = await waitUntil(`all that follows from ${path}`, whole, 15_000).catch(() => undefined);
      }
      // Where there is none, this says what each of them lacks.
      expect(trace ? [] : traces(path).map((found) => [roots(found), work(found)])).toEqual([]);
      expect(roots(trace ?? [])).toEqual([path]);
      return (trace ?? []).map(({ service, name }) => `${service} ${name}`);
    };
    // Batches are counted by the message that their request sends; an analysis follows the one that asks for it.
    const counted = await followed('POST /ingest/events', /batches/, post);
    expect(counted).toContainEqual(expect.stringMatching(/^ingest-api pg\.query/));
    expect(counted).toContainEqual(expect.stringMatching(/^analysis-worker pg\.query/));
    expect(await followed('POST /ingest/analysis', /^analysis$/, ask)).toContainEqual(
      expect.stringMatching(/^analysis-worker pg\.query/),
    );
    await exchange({
      port: ingest.port,
      method: 'DELETE',
      path: '/ingest/events?recipient_id=canary-other',
      headers: authorization(apiKey),
    });
    // What names somebody in a path, a query, a body or an argument, where it is right and where it is wrong.
    const wrongKey = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
    for (const key of [apiKey, wrongKey]) {
      for (const path of ['/intelligence/contacts/canary-recipient', '/none/canary-recipient', '/canary']) {
        await exchange(get(read.port, key, `${path}?contact_id=canary-recipient&key=${apiKey}`));
      }
      for (const tool of ['get_recipient_intelligence', 'canary-tool']) {
        await exchange(call(gateway.port, key, tool, { contact_id: 'canary-recipient' }));
      }
      await exchange(rpc(gateway.port, key, 'canary/method', { uri: `canary://${EMAIL}` }));
      await exchange({
        ...{ port: ingest.port, method: 'POST', path: '/ingest/events/canary-event', body: `{"canary": ` },
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      });
    }
    const person = { email: 'canary.person@example.com', password: 'canary password' };
    expect((await new ConsoleVisitor(origin).signIn(person)).status).toBe(401);
    await installation.stopServices();
    const requests = spans().filter(({ name }) => /^(GET|POST|DELETE)\b/.test(name));
    expect([...new Set(requests.map(({ service }) => service))].sort()).toEqual([
      'console',
      'ingest-api',
      'mcp-gateway',
      'read-api',
    ]);
    noteFigures(`${spans().length} spans, ${requests.length} of them of requests, 0 with a canary`);
    const everything = Buffer.concat(sent).toString();
    expect(everything).not.toContain('canary');
    expect(everything).not.toContain(apiKey);
    expect(everything).not.toContain(wrongKey);
    expect(everything).not.toContain('127.0.0.1');
  }, 120_000);

  it('are not sent where no endpoint is configured', async () => {
    await installation.stopServices();
    const before = sent.length;
    const service = await installation.start('ingest-api', { TRACES_ENDPOINT: '' });
    await exchange({ port: service.port, method: 'GET', path: '/nothing', headers: {} });
    await service.stop();
    expect(sent).toHaveLength(before);
  });
});
