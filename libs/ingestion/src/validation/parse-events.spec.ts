import { AppError } from '@outcomes/contracts';
import { parseDocument, parseEvents } from './parse-events';

const parse = (text: string | Buffer) => {
  try {
    return parseEvents(Buffer.from(text as string));
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const refusal = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('It was not refused.');
};

describe('the body of POST /ingest/events', () => {
  it('is a list of events in an object, or one event', () => {
    expect(parse('{"events":[{"a":1},2]}')).toEqual([{ a: 1 }, 2]);
    expect(parse('{"events":[]}')).toEqual([]);
    expect(parse('{"channel":"email"}')).toEqual([{ channel: 'email' }]);
    expect(parse('{}')).toEqual([{}]);
    expect(parse('\uFEFF{"events":[1]}')).toEqual([1]);
  });

  it.each(['[]', '[{}]', 'null', '1', '"x"', '{"events":{}}', '{"events":null}', '{"events":[],"more":1}'])(
    'has no other shape: %s',
    (text) => {
      expect(parse(text)).toBe('INVALID_REQUEST');
    },
  );

  it.each(['', '{', '{"events":[}', "{'a':1}", '{"a":NaN}', '{"a":1,}', '{} {}', '{"a":"\u0001"}', '[[['])(
    'is JSON: %j is not',
    (text) => {
      expect(parse(text)).toBe('INVALID_JSON');
    },
  );

  it('is UTF-8', () => {
    expect(parse(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('INVALID_ENCODING');
    expect(parse(Buffer.from('{}', 'utf16le'))).not.toEqual([{}]);
  });

  it('holds 500 events and not one more', () => {
    const body = (count: number) => `{"events":[${new Array(count).fill('{}').join()}]}`;
    expect(parse(body(500))).toHaveLength(500);
    expect(parse(body(501))).toBe('TOO_MANY_EVENTS');
    expect(refusal(() => parseEvents(Buffer.from(body(501)))).fields).toEqual({ limit: 500 });
  });

  it('is described to whoever sends another one', () => {
    const sentence = 'Send {"events": [...]} with at most 500 outcome events, or one outcome event object.';
    expect(refusal(() => parseEvents(Buffer.from('[]'))).message).toBe(
      `The request does not have the documented shape. ${sentence}`,
    );
    const deep = Buffer.from('['.repeat(5_000));
    expect(refusal(() => parseEvents(deep)).message).toBe(
      `The body nests too deep or holds too many values. ${sentence}`,
    );
    expect(refusal(() => parseDocument(deep, 'Send less.')).message).toBe(
      'The body nests too deep or holds too many values. Send less.',
    );
  });

  it('may begin with a byte order mark, and with one alone', () => {
    expect(parseDocument(Buffer.from('\uFEFF[1]'))).toEqual([1]);
    expect(parse('\uFEFF\uFEFF{}')).toBe('INVALID_JSON');
    expect(parse('{}\uFEFF')).toBe('INVALID_JSON');
  });

  it('that is no JSON is refused with the reason of the parser, for the log alone', () => {
    const { cause, message } = refusal(() => parseDocument(Buffer.from('{"secret" 1}')));
    expect(cause).toBeInstanceOf(SyntaxError);
    expect(message).not.toContain('secret');
  });

  it.each([
    ['3 million nested lists', '['.repeat(3_000_000)],
    ['3 million nested objects', '{"a":'.repeat(1_500_000)],
    ['a million members', `{${Array.from({ length: 900_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`],
    ['4 million numbers', `{"events":[${'1,'.repeat(4_000_000)}1]}`],
    ['4 million numbers in metadata', `{"metadata":{"a":[${'1,'.repeat(4_000_000)}1]}}`],
    ['2 million texts', `{"events":[${'"",'.repeat(2_600_000)}""]}`],
    ['numbers of 1,000 digits', `{"events":[${`${'9'.repeat(1_000)},`.repeat(8_000)}1]}`],
    ['a million containers', `[${'{},'.repeat(2_700_000)}{}]`],
  ])('is refused for its shape: %s', (_, text) => {
    // How long that may stall the process is measured by `npm run verify:reliability`, not by a test.
    const body = Buffer.from(text);
    expect(() => parseEvents(body)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error);
  });

  it.each([0, 1, 2, 3, 62, 63, 64, 65, 66, 127, 128, 129])(
    'finds the end of a string behind %d characters and any number of escapes',
    (length) => {
      const limit = '['.repeat(300);
      for (const end of ['', '\\', '"', '\\"', '\\\\', '"'.repeat(200), '\\'.repeat(200)]) {
        const text = 'x'.repeat(length) + end + limit;
        const many = Array.from({ length: 5_000 }, () => ({}));
        expect(parse(JSON.stringify({ body: text, metadata: { many } }))).toEqual([
          { body: text, metadata: { many } },
        ]);
        expect(parse(`{"body":${JSON.stringify(text)},"a":${'['.repeat(5_000)}`)).toBe('INVALID_REQUEST');
      }
    },
  );

  it('takes brackets and colons inside strings for text', () => {
    const text = '[{:"\\'.repeat(100_000);
    expect(parse(JSON.stringify({ events: [{ body: text }] }))).toEqual([{ body: text }]);
  });
});
