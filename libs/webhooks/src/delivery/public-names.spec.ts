import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, promises, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OUTSIDE } from './https-poster';
import { publicNames, type NameLookup } from './public-names';

const [A, AAAA, HEADER_BYTES] = [1, 28, 12];
const FOUR = [203, 0, 113, 7];
const SIX = [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 7];

const ask = (lookup: NameLookup, host: string) =>
  new Promise<readonly LookupAddress[] | string>((resolve) =>
    lookup(host, (error, addresses = []) => resolve(error ? error.message : addresses)),
  );

describe('the names of receivers', () => {
  let server: Socket;
  let lookup: NameLookup;
  const silences: string[] = [];
  const servers = () => [`127.0.0.1:${server.address().port}`];

  beforeAll(async () => {
    server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('message', (question, { port, address }) => {
      const end = question.indexOf(0, HEADER_BYTES) + 1;
      const [name, type] = [question.toString('latin1', HEADER_BYTES, end), question.readUInt16BE(end)];
      const isUnanswered = name.includes('silent') || (name.includes('only-a') && type === AAAA);
      if (isUnanswered) return silences.push(name);
      const records = name.includes('unknown')
        ? []
        : type === A
          ? [FOUR]
          : name.includes('both')
            ? [SIX]
            : [];
      const head = Buffer.from(question.subarray(0, end + 4));
      head.writeUInt16BE(0x8180, 2);
      head.writeUInt16BE(records.length, 6);
      head.writeUInt16BE(0, 10);
      const answers = records.map((bytes) => [
        0xc0,
        HEADER_BYTES,
        0,
        type,
        0,
        1,
        0,
        0,
        0,
        9,
        0,
        bytes.length,
        ...bytes,
      ]);
      return server.send(Buffer.concat([head, Buffer.from(answers.flat())]), port, address);
    });
    lookup = publicNames(servers(), 300);
  });
  beforeEach(() => (silences.length = 0));
  afterAll(() => server.close());

  it('lead to their addresses of both kinds', async () => {
    expect(await ask(lookup, 'both.example.com')).toEqual([
      { address: '203.0.113.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('lead to those of one kind where the question for the other is never answered', async () => {
    expect(await ask(lookup, 'only-a.example.com')).toEqual([{ address: '203.0.113.7', family: 4 }]);
    expect(silences).not.toEqual([]);
  });

  it.each(['localhost', 'LocalHost.', 'hooks.localhost'])(
    'lead to this machine, whoever is asked: %s',
    async (host) => {
      const found = await ask(lookup, host);
      expect(found).toMatchObject([{ address: '127.0.0.1' }, { address: '::1' }]);
      expect(await ask(lookup, 'localhost.example.com')).toMatchObject([{ address: '203.0.113.7' }]);
    },
  );

  it('without any address are an error', async () => {
    expect(await ask(lookup, 'unknown.example.com')).toMatch(/ENODATA/);
  });

  it('whose servers say nothing are given up, and keep nobody waiting meanwhile', async () => {
    let givenUp = 0;
    const silent = Array.from({ length: 16 }, async (_, n) => {
      expect(await ask(publicNames(servers(), 2_000), `silent-${n}.example.com`)).toMatch(/ECANCELLED/);
      givenUp += 1;
    });
    expect(await ask(lookup, 'both.example.com')).toHaveLength(2);
    expect(givenUp).toBe(0);
    await Promise.all(silent);
  });

  describe('while every thread of the process is held up', () => {
    const folder = mkdtempSync(join(tmpdir(), 'threads-'));
    const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
    const pipes = Array.from({ length: threads }, (_, n) => join(folder, `${n}`));
    let opened: Promise<unknown>;
    let isOpened = false;

    beforeAll(() => {
      execFileSync('mkfifo', pipes);
      // Nobody writes to them: each holds a thread until somebody does.
      opened = Promise.all(pipes.map(async (pipe) => (await promises.open(pipe)).close()));
      void opened.then(() => (isOpened = true));
    });
    afterAll(async () => {
      const writers = pipes.map((pipe) => openSync(pipe, 'r+'));
      await opened;
      writers.forEach((writer) => closeSync(writer));
      rmSync(folder, { recursive: true });
    });

    // Mutation: the system's lookup waits for a thread, as it does while others wait for silent name servers.
    it('are asked for all the same', async () => {
      await ask(OUTSIDE.lookup, 'hooks.invalid');
      expect(isOpened).toBe(false);
    }, 10_000);
  });
});
