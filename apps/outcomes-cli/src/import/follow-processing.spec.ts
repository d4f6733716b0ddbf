import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followProcessing } from './follow-processing';

const COUNTING = { batches_pending: 1, events_pending: 2_500, batches_parked: 0, unanalysed_since: null };
const IDLE = { analysis: 'idle', next_analysis: { at: null, reason: null } };
const DONE = { ...COUNTING, ...IDLE, batches_pending: 0, events_pending: 0 };

describe('what is shown of counting and analysing', () => {
  let statuses: object[] = [];
  const server = createServer((_request, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(status));
  });
  let written: string;

  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());
  beforeEach(() => {
    written = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const follow = () =>
    followProcessing({
      ingestApiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'k',
      events: 4_000,
      patienceSeconds: 10,
    });

  it('ends with both, where both ended since it was last looked at', async () => {
    statuses = [{ ...COUNTING, ...IDLE }, DONE];
    expect(await follow()).toEqual({ counted: true, analysed: true });
    expect(written).toBe('counting 100% 4,000 events\nanalysing 100% done\n');
  });

  it('ends with both, where the analysis was seen', async () => {
    statuses = [{ ...COUNTING, ...IDLE }, { ...DONE, analysis: 'running' }, DONE];
    expect(await follow()).toEqual({ counted: true, analysed: true });
    expect(written).toBe('counting 100% 4,000 events\nanalysing 100% done\n');
  });

  it('is nothing where nothing was to be done', async () => {
    statuses = [DONE];
    expect(await follow()).toEqual({ counted: true, analysed: true });
    expect(written).toBe('');
  });
});
