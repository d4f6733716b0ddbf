import { scrubBodies } from './scrub-bodies';

/** What everybody is written, so that there is a vocabulary. */
const TEMPLATE =
  'would you be open to a short chat about how teams like yours save time on reports and what it could mean for you next quarter';
const crowd = Array.from({ length: 8 }, (_, index) => ({ text: TEMPLATE, recipient: `r${index}` }));
const scrubbed = (text: string, recipient = 'target'): string =>
  scrubBodies([...crowd, { text: `${text}\n${TEMPLATE}`, recipient }]).at(-1) ?? '';
const rest = (text: string) => scrubbed(text).replace(TEMPLATE, '').trim();

describe('scrubbed bodies', () => {
  it('keep what many people were written', () => {
    expect(scrubBodies(crowd)[0]).toBe(TEMPLATE);
    expect(scrubbed('Would you be open to a chat?')).toContain('Would you be open to a chat?');
  });

  it.each([
    ['a greeting', 'Hi Anna,', 'Anna'],
    ['a greeting in small letters', 'hi anna schmidt,', 'schmidt'],
    ['a title', 'Dear Dr. Müller-Lüdenscheidt,', 'denscheidt'],
    ['a name in a sentence', 'I spoke with Jean-Pierre about it', 'Pierre'],
    ['a name in capitals', 'MARTINEZ told me to write', 'MARTINEZ'],
    ['a name that is a word, inside a sentence', 'ask Will or Mark about it', 'Mark'],
    ['a name in small letters', 'my colleague okonkwo will call', 'okonkwo'],
    ['an introduction', 'my name is bob baker and i write to you', 'baker'],
    ['a sender', 'it is bob here from initech', 'initech'],
    ['a company', 'How is it at Globex GmbH these days', 'Globex'],
    ['a combining accent', 'Jose\u0301 said so', 'Jos'],
    ['zero-width letters inside a name', 'A\u200bn\u200bn\u200ba said so', 'Anna'],
    ['full-width letters', 'Ａｎｎａ said so', 'Anna'],
    ['bold mathematical letters', '𝐀𝐧𝐧𝐚 said so', 'Anna'],
    ['another alphabet', 'Иванов said so', 'Иванов'],
    ['an apostrophe', "O'Brien said so", 'Brien'],
  ])('lose %s', (_what, text, secret) => {
    expect(rest(text)).not.toContain(secret);
    expect(scrubbed(text)).toContain(TEMPLATE);
  });

  it.each([
    'anna.schmidt+sales@example.co.uk',
    'anna (at) example (dot) com',
    'anna[at]example.com',
    'https://example.com/u/anna?x=1',
    'www.example.com/anna',
    'calendly.com/anna-schmidt',
    'xn--mller-kva.example',
    '@annaschmidt',
    'HTTP://EXAMPLE.COM/ANNA',
  ])('lose the address %s', (address) => {
    expect(rest(`write to ${address} please`).toLowerCase()).not.toMatch(/anna|example|schmidt/);
  });

  it.each([
    '+49 (0)30 123456-78',
    '555.123.4567',
    '12 Main Street',
    '€ 1,234.56',
    'DE89 3704 0044 0532 0130 00',
    '٠١٢٣٤٥',
    '①②③',
    'five five five one two three',
    'room 4b',
  ])('lose the number %s', (number) => {
    expect(rest(`it is ${number} there`)).not.toMatch(/\p{N}|five|Main|Street|DE/u);
  });

  it.each([
    'Best regards,\nAnna Schmidt\nVP Sales',
    '--\nanna',
    'Cheers\nanna s',
    'Sent from my phone of anna',
  ])('end before the signature %j', (signature) => {
    const text = scrubBodies([...crowd, { text: `${TEMPLATE}\n${signature}`, recipient: 'x' }]).at(-1);
    expect(text).toBe(TEMPLATE);
  });

  it.each([
    ['greeting', 'hi anna,\nTEXT', 'anna'],
    ['introduction', 'my name is bob and TEXT', 'bob'],
    ['signature', 'TEXT\nbest regards,\ncarol', 'carol'],
    ['sender', 'dave here from initech TEXT', 'dave'],
  ])('lose the name in a %s even where everybody was written it, in small letters', (_what, text, name) => {
    const everybody = crowd.map(({ recipient }) => ({ text: text.replace('TEXT', TEMPLATE), recipient }));
    const texts = scrubBodies(everybody);
    expect(texts.every((scrubbedText) => scrubbedText?.includes(TEMPLATE))).toBe(true);
    expect(texts.join(' ')).not.toContain(name);
  });

  it('do not count one reader many times: what was written to one person stays with that person', () => {
    const secret = Array.from({ length: 20 }, () => ({ text: `${TEMPLATE} zanzibar`, recipient: 'one' }));
    expect(scrubBodies([...crowd, ...secret]).join(' ')).not.toContain('zanzibar');
  });

  it('are not there at all where nothing can be told apart', () => {
    expect(
      scrubBodies([...crowd, { text: '安娜你好，我们可以聊一聊吗', recipient: 'x' }]).at(-1),
    ).toBeUndefined();
    expect(
      scrubBodies([...crowd, { text: 'مرحبا آنا هل يمكننا التحدث', recipient: 'x' }]).at(-1),
    ).toBeUndefined();
    expect(
      scrubBodies([...crowd, { text: 'Anna Schmidt Globex Berlin', recipient: 'x' }]).at(-1),
    ).toBeUndefined();
    expect(scrubBodies([...crowd, { text: '', recipient: 'x' }]).at(-1)).toBeUndefined();
    expect(scrubBodies([])).toEqual([]);
  });

  it('are made of hostile texts in bounded time', () => {
    const hostile = [
      'a@'.repeat(5_000),
      '1 '.repeat(5_000),
      '[at]'.repeat(2_500),
      'one '.repeat(2_500),
      '.a'.repeat(5_000),
    ];
    const texts = scrubBodies([
      ...crowd,
      ...hostile.map((text, index) => ({ text, recipient: `h${index}` })),
    ]);
    expect(texts).toHaveLength(crowd.length + hostile.length);
  });
});
