import { scrubBodies } from './scrub-bodies';

/** What everybody is written, so that there is a vocabulary. */
const TEMPLATE =
  'would you be open to a short chat about how teams like yours save time on reports and what it could mean for you next quarter';
const crowd = Array.from({ length: 8 }, (_, index) => ({ text: TEMPLATE, recipient: `r${index}` }));
const scrubbed = (text: string, recipient = 'target'): string =>
  scrubBodies([...crowd, { text: `${text}\n${TEMPLATE}`, recipient }]).at(-1) ?? '';
/** What is left of a text that everybody was written: of its words only those go that a pattern takes. */
const ofEverybody = (text: string) =>
  scrubBodies(crowd.map(({ recipient }) => ({ text: `${text}\n${TEMPLATE}`, recipient })))
    .at(-1)
    ?.replace(`\n${TEMPLATE}`, '');
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

  it.each([
    ['anna@example', '[link]'],
    ['anna[at]example[dot]co[dot]uk', '[link]'],
    ['anna ( at ) example ( dot ) co dot uk', '[link]'],
    ['anna [at] example  (  dot  )  com', '[link]'],
    ['anna [at] example (dot)com', '[link]'],
    ['https://intranet/anna', '[link]'],
    ['www.q/anna', '[link]'],
    ['a.b.c.example.com/anna', '[link]'],
    ['example.org', '[link]'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), '[link]'],
    ['+49 (0)30 - 12 / 3456', '[number]'],
    ['ab12cd ef34gh', '[number]'],
    ['one, two - three', '[number]'],
    ['one two three to four five six', '[number] to [number]'],
    ['one two', 'one two'],
    ['my name is bob baker of', 'my name is [name] of'],
    ["my name's bob baker", "my name's [name]"],
    ['bob here from initech', '[name] here from [name]'],
    ['bob here at initech', '[name] here at [name]'],
    ['bob here with initech', '[name] here with [name]'],
    ...['i am called', 'call me', 'ask for', 'speak to', 'speak with', 'signed'].map((phrase) => [
      `${phrase}  bob  baker`,
      `${phrase} [name]`,
    ]),
    ...['and', 'from', 'at', 'of', 'with', 'i', 'who', 'to'].map((word) => [
      `my name is bob ${word}`,
      `my name is [name] ${word}`,
    ]),
  ])('lose of %j only the secret, and say what stood there', (secret, left) => {
    expect(ofEverybody(`save ${secret} on time`)).toBe(`save ${left} on time`);
  });

  it.each([
    ...['hi', 'hello', 'hey', 'dear', 'hiya', 'greetings', 'good morning', 'good afternoon', 'good evening'],
    ...['hallo', 'bonjour', 'hola', 'ciao', 'guten tag'],
  ])('greet nobody by name after %j', (greeting) => {
    for (const end of [',', '!', '.', ':', ';', '–', '—', '-', '\n'])
      expect(ofEverybody(`you\n \t${greeting} anna schmidt${end} you`)).toBe(
        `you\n ${greeting} [name]${end} you`,
      );
    expect(ofEverybody(`you ${greeting} teams`)).toBe(`you ${greeting} teams`);
    expect(ofEverybody(`${greeting}story on teams`)).toBe(`${greeting}story on teams`);
  });

  it.each([
    ...[
      '--',
      '----',
      '––',
      '——',
      '___',
      '==',
      '**',
      'Regards',
      'Kind regards',
      'With best wishes',
      'Warm thanks',
    ],
    ...[
      'Many thanks',
      'Best',
      'Thanks',
      'Thank you',
      'Cheers',
      'Sincerely',
      'Yours',
      'Yours truly',
      'Talk soon',
    ],
    ...['Mit freundlichen Grüßen', 'Viele Grüße', 'Cordialement', 'Saludos', 'Sent from my phone'],
  ])('end before the closing %j, and only where it stands alone on its line', (closing) => {
    for (const [before, after] of [
      ['', ''],
      ['', ','],
      [' \t', '  .\t '],
      ['', '!'],
    ])
      expect(ofEverybody(`save time\n${before}${closing}${after}\ncarol`)).toBeUndefined();
    const cut = scrubBodies(
      crowd.map(({ recipient }) => ({ text: `${TEMPLATE}\n${closing},\ncarol`, recipient })),
    );
    expect(cut).toEqual(crowd.map(() => TEMPLATE));
    expect(ofEverybody(`save time on ${closing.toLowerCase()}`)).toContain('save time on');
  });

  it('do not end where a text begins, or at a line that is no closing', () => {
    for (const line of ['thanks', 'you\n-', 'save time\nthanks for you'])
      expect(ofEverybody(line)).toBe(line);
  });

  it('keep a word from five readers on', () => {
    const written = (readers: number) =>
      scrubBodies([
        ...crowd,
        ...Array.from({ length: readers }, (_, index) => ({
          text: `${TEMPLATE} zebra`,
          recipient: `z${index}`,
        })),
      ]).at(-1);
    expect(written(4)).toBe(`${TEMPLATE} [name]`);
    expect(written(5)).toBe(`${TEMPLATE} zebra`);
  });

  it.each([
    ["I save time. I'm open, I’m short", "i save time. i'm open, i’m short"],
    ['Time! Save time? Save time: Save time', 'Time! Save time? Save time: Save time'],
    [
      `(time.) Save "time." Save 'time.' Save “time.” Save time.’ Save`,
      `(time.) Save "time." Save 'time.' Save “time.” Save time.’ Save`,
    ],
    ['time\nSave time.  Save', 'time\nSave time. Save'],
    ['you Save time, Save (Save', 'you [name] time, [name] ([name]'],
    ['you Anna Schmidt, Jean-Pierre and O’Hara’s time', 'you [name] and [name] time'],
    ['you \t save\t\ttime', 'you save time'],
    ['you sa\u200bve\u0007 time', 'you save time'],
  ])('tell from capitals what may be a name: %j', (text, left) => {
    expect(rest(text)).toBe(left);
  });

  it('need eight words, and more words than gaps', () => {
    const [of] = [(text: string) => scrubBodies([...crowd, { text, recipient: 'x' }]).at(-1)];
    expect(of('would you be open to a short chat')).toBe('would you be open to a short chat');
    expect(of('would you be open to a short Anna')).toBeUndefined();
    const gappy = 'would Aa you 12 be b@c open Dd to 13 a e@f short Gg';
    expect(of(`${gappy} chat 14`)).toBeUndefined();
    expect(of(`${gappy} chat`)).toBe(
      'would [name] you [number] be [link] open [name] to [number] a [link] short [name] chat',
    );
  });

  it('are not used where more than a fifth of the letters have no capitals', () => {
    const text = `${'would you be open to a short chat '.repeat(2)}`;
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const withCaseless = (count: number) =>
      scrubBodies([...crowd, { text: `${text}${'好'.repeat(count)}`, recipient: 'x' }]).at(-1);
    expect(letters % 4).toBe(0);
    expect(withCaseless(letters / 4)).toBe(`${text}[name]`);
    expect(withCaseless(letters / 4 + 1)).toBeUndefined();
  });

  it('are of the first 4,000 characters', () => {
    const [text] = scrubBodies(
      crowd.map(({ recipient }) => ({ text: 'save time '.repeat(1_000), recipient })),
    );
    expect(text).toBe('save time '.repeat(400).trim());
  });
});
