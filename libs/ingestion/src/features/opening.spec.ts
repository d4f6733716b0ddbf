import { greetsByName, openingOf } from './opening';

describe('a greeting by name', () => {
  it.each([
    ...['Hi Anna,', 'hi Anna,', 'Hello Anna!', 'hello Anna:', 'Hey Anna -', 'hey Anna\n', 'Dear Anna,'],
    ...['dear Ms Doe,', 'Good morning Anna,', 'good afternoon Anna,', 'Good evening Anna,', ' \n Hi Anna,'],
    ...['Hi  Anna ,', 'Hi Émile,', "Hi J.-P. O'Neil,", 'Hi Anna Maria,'],
    ...['Dear Anna Maria Luisa Doe,', 'Hi Alan,', 'Hi Theresa,', 'Hi Teamster Tom,', 'Hi Žofia Ñíguez,'],
  ])('is %j', (text) => {
    expect(greetsByName(`${text} we sell chairs.`)).toBe(true);
  });

  it.each([
    ...['Hi There,', 'Hi All,', 'Hello Team,', 'Hi Everyone,', 'Dear Sir,', 'Dear Madam,', 'Hey Folks,'],
    ...['Hi Both,', 'Dear Sir or Madam,', 'Hi anna,', 'Hi,', 'HiAnna,', 'Anna,', 'Cheers Anna,', 'Hi Anna;'],
    ...['So I said Hi Anna,', 'Good night Anna,', 'Hi Anna Maria Luisa Jane Doe,', 'Hi Anna and Tom,'],
  ])('is not %j', (text) => {
    expect(greetsByName(`${text} we sell chairs.`)).toBe(false);
  });
});

describe('the opening of a text', () => {
  const sentences = (lower: string) =>
    openingOf(lower).map(({ start, end, isQuestion }) => [lower.slice(start, end).trim(), isQuestion]);

  it('is its first three sentences', () => {
    expect(sentences('we sell. who buys? you do! and we.')).toEqual([
      ['we sell.', false],
      ['who buys?', true],
      ['you do!', false],
    ]);
    expect(sentences('we sell')).toEqual([['we sell', false]]);
    expect(sentences('')).toEqual([]);
  });

  it('takes all the marks behind a sentence for its end, and a line end too', () => {
    expect(sentences('who buys?!... we do\nyou pay')).toEqual([
      ['who buys?!...', true],
      ['we do', false],
      ['you pay', false],
    ]);
  });

  it('passes over what holds no letter and no digit', () => {
    expect(sentences('- -\n***\n: ?\nwe sell\n--\n7')).toEqual([
      ['we sell', false],
      ['7', false],
    ]);
  });

  it.each([
    ...['hi anna,', 'hello anna!', 'hey:', 'dear ms doe.', 'greetings -', 'good morning anna\n'],
    ...['good afternoon,', 'good evening to you all,', ' \n hi anna,', `hi${' '.repeat(60)},`],
  ])('begins behind the greeting %j', (greeting) => {
    expect(sentences(`${greeting} we sell. who buys?`)).toEqual([
      ['we sell.', false],
      ['who buys?', true],
    ]);
  });

  it('is empty behind a greeting that is all the text', () => {
    expect(sentences('hi anna')).toEqual([]);
    expect(sentences('hi anna, ')).toEqual([]);
  });

  it.each([
    ...['hire anna, we sell.', 'cheers anna, we sell.', 'good night anna, we sell.', 'so hi anna, we sell.'],
    ...['hi anna?', `hi${' x'.repeat(31)}, we sell.`],
  ])('begins with the first word of %j, which has no greeting', (text) => {
    expect(openingOf(text)[0]).toMatchObject({ start: 0, end: text.length });
  });
});
