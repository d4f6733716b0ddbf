import { table, withoutEscapes } from './terminal';

describe('what a terminal is given', () => {
  it.each([
    ['\u001b[2Jgone', '\ufffd[2Jgone'],
    ['\u001b]0;title\u0007', '\ufffd]0;title\ufffd'],
    ['a\u009b31mb', 'a\ufffd31mb'],
    ['back\b\rspace', 'back\ufffd\ufffdspace'],
    ['\u001b[8mhidden', '\ufffd[8mhidden'],
    ['abc\u202edef', 'abc\ufffddef'],
  ])('has no commands in it: %j', (text, expected) => expect(withoutEscapes(text)).toBe(expected));

  it.each(['two\nlines', '\u001b[1mbold\u001b[22m', '\u001b[32mgreen\u001b[39m', 'Größe 日本 👍'])(
    'keeps %j',
    (text) => expect(withoutEscapes(text)).toBe(text),
  );
});

describe('a table', () => {
  it.each([
    ['numbers to the right', ['6.6%', '13.5%'], ['  6.6% ', ' 13.5% ']],
    ['also where one is missing', ['6.6%', '-', '13.5%'], ['  6.6% ', '     - ', ' 13.5% ']],
    ['words to the left', ['a', '13.5%'], [' a     ', ' 13.5% ']],
    ['nothing but gaps to the left', ['-', '-'], [' -    ', ' -    ']],
  ])('has %s', (_what, cells, expected) => {
    const lines = table(
      ['rate'],
      cells.map((cell) => [cell]),
    ).split('\n');
    expect(lines.slice(3, -1).map((line) => line.slice(1, -1))).toEqual(expected);
  });
});
