import fc from 'fast-check';
import { CHANNELS, DAY_MS, DIMENSIONS, LEVELS, PATTERN_CATALOGUE, TONES } from '@outcomes/contracts';
import { extractLevels } from './extract-levels';
import type { Message } from './message';
import { wallClock } from './wall-clock';

const MONDAY_10H_MS = Date.parse('2026-06-01T10:00:00Z');
const HOUR_MS = 3_600_000;

const message = (parts: Partial<Message> = {}): Message => ({
  channel: 0,
  sequenceStep: 0,
  tone: null,
  sentAtMs: MONDAY_10H_MS,
  sentOffsetMinutes: null,
  sentHasTime: true,
  wordCount: null,
  subject: null,
  body: null,
  bodyExcerpt: null,
  readerNames: [],
  jobTitle: null,
  ...parts,
});
const levelsOf = (parts: Partial<Message>, timeZone = 'UTC') => {
  const sent = message(parts);
  const clock = wallClock(sent.sentAtMs, sent.sentOffsetMinutes, sent.sentHasTime, timeZone);
  return extractLevels(sent, clock).map((level) => LEVELS[level] ?? '');
};
const body = (text: string): Partial<Message> => ({ body: text });
const subject = (text: string): Partial<Message> => ({ subject: text });
const words = (count: number) => body(new Array(count).fill('word').join(' '));
const atHour = (hour: number): Partial<Message> => ({ sentAtMs: MONDAY_10H_MS + (hour - 10) * HOUR_MS });
const onDay = (day: number): Partial<Message> => ({ sentAtMs: MONDAY_10H_MS + day * DAY_MS });
const tone = (name: (typeof TONES)[number]): Partial<Message> => ({ tone: TONES.indexOf(name) });

const EASY =
  'We made it. It is quick to use. You can try it now. It took us a day to set up and it ran at once. We like it a lot and I think you will too. Ask me for it.';
const STANDARD =
  'Our product helps sales teams plan their weekly activities. It collects notes from every meeting and informs the manager about progress. Most companies need several days to learn it and save many hours of typing afterwards.';
const DIFFICULT =
  'Organisational interoperability considerations necessitate comprehensive architectural reevaluation, particularly regarding heterogeneous infrastructure consolidation, regulatory accountability obligations, interdepartmental communication methodologies, administrative standardisation initiatives across multinational subsidiaries, and the continuous professionalisation of operational responsibilities.';

/** For every code of the catalogue: messages that carry it, and messages that do not. */
const CASES: Readonly<Record<string, { carry: Partial<Message>[]; lack: Partial<Message>[] }>> = {
  'TA-1': { carry: [tone('direct')], lack: [tone('professional'), {}] },
  'TA-2': { carry: [tone('conversational')], lack: [tone('direct'), {}] },
  'TA-3': { carry: [tone('professional')], lack: [tone('direct'), {}] },
  'TA-4': { carry: [tone('empathetic')], lack: [tone('direct'), {}] },
  'TA-5': { carry: [tone('questioning')], lack: [tone('direct'), {}] },
  'DOW-1': { carry: [onDay(0)], lack: [onDay(1), onDay(6)] },
  'DOW-2': { carry: [onDay(1)], lack: [onDay(0)] },
  'DOW-3': { carry: [onDay(2)], lack: [onDay(0)] },
  'DOW-4': { carry: [onDay(3)], lack: [onDay(0)] },
  'DOW-5': { carry: [onDay(4)], lack: [onDay(0)] },
  'DOW-6': { carry: [onDay(5)], lack: [onDay(0)] },
  'DOW-7': { carry: [onDay(6)], lack: [onDay(0)] },
  'HOD-1': { carry: [atHour(5), atHour(7)], lack: [atHour(4), atHour(8), { sentHasTime: false }] },
  'HOD-2': { carry: [atHour(8), atHour(10)], lack: [atHour(7), atHour(11), { sentHasTime: false }] },
  'HOD-3': { carry: [atHour(11), atHour(13)], lack: [atHour(10), atHour(14)] },
  'HOD-4': { carry: [atHour(14), atHour(16)], lack: [atHour(13), atHour(17)] },
  'HOD-5': {
    carry: [atHour(17), atHour(23), atHour(0), atHour(4)],
    lack: [atHour(5), { sentHasTime: false, sentAtMs: 0 }],
  },
  'BWC-1': {
    carry: [words(1), words(49), { wordCount: 49 }],
    lack: [words(50), { wordCount: 0 }, { bodyExcerpt: 'short' }],
  },
  'BWC-2': { carry: [words(50), words(99)], lack: [words(49), words(100)] },
  'BWC-3': { carry: [words(100), { wordCount: 149 }], lack: [words(99), words(150)] },
  'BWC-4': { carry: [words(150), words(199)], lack: [words(149), words(200)] },
  'BWC-5': {
    carry: [words(200), { wordCount: 5_000 }],
    lack: [words(199), { wordCount: 5_000, ...words(20) }],
  },
  'SWC-1': {
    carry: [subject('Quick question'), subject('Re: one two three')],
    lack: [subject('one two three four'), subject(''), {}],
  },
  'SWC-2': { carry: [subject('one two three four')], lack: [subject('one two three')] },
  'SWC-3': {
    carry: [subject('one two three four five six seven')],
    lack: [subject('one two three four five six')],
  },
  'SWC-4': { carry: [subject('1 2 3 4 5 6 7 8 9 10')], lack: [subject('1 2 3 4 5 6 7 8 9 -')] },
  'SF-1': { carry: [subject('Ready for spring?')], lack: [subject('Ready for spring'), {}] },
  'SF-2': { carry: [subject('Save 20 % now'), subject('Q3')], lack: [subject('Save a lot'), {}] },
  'SF-3': {
    carry: [
      subject('An idea for you'),
      subject('{{first_name}}, a thought'),
      { ...subject('Acme and us'), readerNames: ['acme'] },
    ],
    lack: [subject('An idea'), { ...subject('Acmeology'), readerNames: ['acme'] }, {}],
  },
  'RD-1': { carry: [body(EASY)], lack: [body(STANDARD), body(DIFFICULT), body('Too short.')] },
  'RD-2': { carry: [body(STANDARD)], lack: [body(EASY), body(DIFFICULT)] },
  'RD-3': { carry: [body(DIFFICULT)], lack: [body(EASY), body(STANDARD)] },
  'PER-1': {
    carry: [body('We sell chairs.'), body('Hi there, we sell chairs.')],
    lack: [body('Hi Anna, we sell chairs.'), {}],
  },
  'PER-2': {
    carry: [
      body('Hi Anna, we sell chairs.'),
      body('Hello {{name}}, chairs!'),
      { ...body('Chairs for Acme.'), readerNames: ['acme'] },
      { ...body('Chairs for a VP Sales.'), jobTitle: 'VP Sales' },
    ],
    lack: [body('Chairs.'), body('Hi Anna, I saw your talk about chairs.')],
  },
  'PER-3': {
    carry: [
      body('I read your article on chairs.'),
      body('Congrats on the new role!'),
      body('Hi Anna, I noticed you opened an office.'),
    ],
    lack: [body('Hi Anna, we sell chairs.'), {}],
  },
  'SP-1': {
    carry: [
      body('We work with Globex.'),
      body('Companies like Initech use it.'),
      { bodyExcerpt: 'Trusted by many.' },
    ],
    lack: [body('We sell chairs.'), {}],
  },
  'SP-2': {
    carry: [
      body('Costs fell by 30%.'),
      body('They grew 2x.'),
      body('We saved them 12 hours a week.'),
      body('It brought $40k.'),
    ],
    lack: [body('Call me at 5.'), body('We save time.'), {}],
  },
  'MA-1': {
    carry: [body('Hi Anna,\n\nMany teams struggle with backlogs. We help.')],
    lack: [body('We help. Many struggle.')],
  },
  'MA-2': {
    carry: [body('We help teams like yours to grow.'), body('Hi Anna, I hope you are well. We help teams.')],
    lack: [body('This is Tom of Initech. We help teams.')],
  },
  'MA-3': {
    carry: [body('Hi Anna, who plans your hiring? We help.')],
    lack: [body('We help. Who plans hiring?')],
  },
  'MA-4': {
    carry: [body('Hi Anna, Jim Doe suggested I write.'), body('I saw the news about Acme.')],
    lack: [body('We help teams.')],
  },
  'KP-1': {
    carry: [subject('Quick question'), body('One quick\nquestion: who?')],
    lack: [body('A question, quick.'), body('Questions.')],
  },
  'KP-2': {
    carry: [body('Just following up.'), body('I am checking in.'), body('A follow-up.')],
    lack: [body('Following the news.')],
  },
  'KP-3': {
    carry: [body('Worth a chat?'), body('Would you be open to it?')],
    lack: [body('Let us chat on Monday.')],
  },
  'KP-4': {
    carry: [
      body('Here: https://calendly.com/tom/15'),
      body('Book a time here.'),
      body('<p>Hi, <a class="x" href="https://calendly.com/tom/15?a=1">talk to me</a></p>'),
      body("<A\nHREF = 'https://meetings.hubspot.com/tom'>talk</A>"),
    ],
    lack: [
      body('See you on Monday.'),
      body(
        '<a href="https://acme.com/calendar">our calendar of events</a><img src="https://calendly.com/logo.png">',
      ),
    ],
  },
  'KP-5': { carry: [body('No pressure.'), body('If not, no worries!')], lack: [body('High pressure.')] },
  'SS-1': { carry: [{ sequenceStep: 0 }], lack: [{ sequenceStep: 1 }] },
  'SS-2': {
    carry: [{ sequenceStep: 1 }, { sequenceStep: 2 }],
    lack: [{ sequenceStep: 0 }, { sequenceStep: 3 }],
  },
  'SS-3': { carry: [{ sequenceStep: 3 }, { sequenceStep: 50 }], lack: [{ sequenceStep: 2 }] },
  'CH-1': {
    carry: [{ channel: CHANNELS.indexOf('email') }],
    lack: [{ channel: CHANNELS.indexOf('linkedin') }],
  },
  'CH-2': {
    carry: [{ channel: CHANNELS.indexOf('linkedin') }],
    lack: [{ channel: CHANNELS.indexOf('email') }],
  },
};

describe('the patterns of the catalogue', () => {
  it('all have messages that carry them and messages that do not', () => {
    expect(Object.keys(CASES)).toEqual(PATTERN_CATALOGUE.map(({ code }) => code));
  });

  it.each(PATTERN_CATALOGUE)('$code: $title', ({ code, dimension, level }) => {
    const { carry = [], lack = [] } = CASES[code] ?? {};
    for (const parts of carry) expect(levelsOf(parts)).toContain(`${dimension}:${level}`);
    for (const parts of lack) expect(levelsOf(parts)).not.toContain(`${dimension}:${level}`);
    expect(carry.length * lack.length).toBeGreaterThan(0);
  });
});

describe('levels of a message', () => {
  it('say "without" only where the text is known', () => {
    const flags = (parts: Partial<Message>) => levelsOf(parts).filter((level) => level.endsWith(':without'));
    expect(flags({})).toEqual([]);
    expect(flags({ subject: 'Hello' })).toEqual([
      'subject_question:without',
      'subject_number:without',
      'subject_personal:without',
    ]);
    expect(flags({ bodyExcerpt: 'Hello.' })).toContain('phrase_no_pressure:without');
    expect(flags(body('Hello.'))).toHaveLength(7);
    expect(flags({ body: '', bodyExcerpt: '' })).toEqual([]);
  });

  it('use the offset that came with the time, else the zone of the company', () => {
    const evening: Partial<Message> = { sentAtMs: Date.parse('2026-06-01T02:30:00Z') };
    expect(levelsOf(evening)).toContain('weekday:monday');
    expect(levelsOf(evening, 'America/New_York')).toContain('weekday:sunday');
    expect(levelsOf({ ...evening, sentOffsetMinutes: 540 }, 'America/New_York')).toEqual(
      expect.arrayContaining(['weekday:monday', 'daypart:midday']),
    );
    expect(levelsOf({ ...evening, sentOffsetMinutes: 0 }, 'America/New_York')).toContain('weekday:monday');
    expect(levelsOf({ ...evening, sentHasTime: false }, 'America/New_York')).toContain('weekday:monday');
  });

  it('follow a zone through its summer time', () => {
    const noon = (iso: string) => wallClock(Date.parse(iso), null, true, 'Europe/Berlin').hour;
    expect([noon('2026-01-15T12:00:00Z'), noon('2026-07-15T12:00:00Z')]).toEqual([13, 14]);
    expect(wallClock(0, null, true, 'Mars/Olympus')).toEqual({ day: '1970-01-01', weekday: 3, hour: 0 });
  });

  it.each([
    [
      'professional',
      'Dear Ms Doe, I am writing to you on behalf of Initech regarding your facilities. I look forward to your answer. Kind regards, Tom',
    ],
    [
      'conversational',
      "Hey! Figured I'd shoot me a note, cheers for reading this. It's super easy stuff and honestly kinda fun, so let's go.",
    ],
    [
      'questioning',
      'Who plans your hiring at the moment? And is that person happy with how it is going? We make software for this.',
    ],
    [
      'empathetic',
      'I understand how full the weeks are, and I can imagine there is a lot going on. It is not easy to lead a team now.',
    ],
    [
      'direct',
      "I'll be brief, straight to it: my ask is ten minutes of your time next week. Bottom line, we cost less.",
    ],
  ])('infer a %s tone where it is clear', (expected, text) => {
    expect(levelsOf(body(text))).toContain(`tone:${expected}`);
    expect(levelsOf({ ...body(text), ...tone('direct') })).toContain('tone:direct');
  });

  it('infer no tone where none leads', () => {
    for (const text of [
      STANDARD,
      'Hey.',
      'Dear Ms Doe, hey, kind regards and cheers, we sell chairs of wood and of steel here.',
    ]) {
      expect(levelsOf(body(text)).filter((level) => level.startsWith('tone:'))).toEqual([]);
    }
  });

  it('read HTML as its reader does', () => {
    const html = '<style>p { color: red }</style><p>Hi Anna,</p><p>Who plans your <b>hiring</b>?</p>';
    expect(levelsOf(body(html))).toEqual(
      expect.arrayContaining([
        'body_words:under_50',
        'personalization:light',
        'messaging_approach:question_led',
      ]),
    );
  });

  it('count no words where a script writes none apart, and take those of the caller', () => {
    const wordsIn = (parts: Partial<Message>) => levelsOf(parts).filter((level) => /^\w+_words:/.test(level));
    const japanese =
      '佐藤様、お世話になっております。弊社は決算業務を支援しております。来週お時間をいただけますでしょうか。';
    expect(wordsIn({ ...body(japanese), ...subject('決算業務のご質問') })).toEqual([]);
    expect(wordsIn({ ...body(japanese), wordCount: 120 })).toEqual(['body_words:100_to_149']);
    for (const spaced of [
      '안녕하세요 김철수님, 잠시 시간 있으세요',
      'مرحبا أحمد، هل لديك وقت',
      'Guten Tag Herr 佐藤',
    ])
      expect(wordsIn({ ...body(spaced), ...subject(spaced) })).toEqual([
        'body_words:under_50',
        'subject_words:4_to_6',
      ]);
  });

  it.each([
    ['佐藤', '佐藤様、お世話になっております。'],
    ['anna', 'Anna様、お世話になっております。'],
    ['김철수', '김철수님, 안녕하세요.'],
    ['firma 12', '弊社はFirma 12のような企業を支援しております。'],
    ['محمد', 'مرحبا محمد، كيف حالك'],
  ])('find the name %s where the script hangs something on it', (name, text) => {
    expect(levelsOf({ ...body(text), readerNames: [name] })).toContain('personalization:light');
    expect(levelsOf({ ...subject(text), readerNames: [name] })).toContain('subject_personal:with');
    expect(levelsOf({ ...body(text), readerNames: ['acme'] })).toContain('personalization:none');
  });

  it.each(['Chairs?', '椅子はいかがですか？', 'هل تحتاج كراسي؟', 'Καρέκλες\u037E'])(
    'find the question in %s',
    (text) => {
      expect(levelsOf(subject(text))).toContain('subject_question:with');
    },
  );

  it('judge the readability of English alone', () => {
    const russian = body('Мы делаем программы для отделов продаж. '.repeat(20));
    expect(levelsOf(russian).filter((level) => level.startsWith('readability'))).toEqual([]);
  });

  it('are at most one per dimension, ascending, the same each time, for any text at all', () => {
    const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 300 }), { nil: null });
    const anyMessage = fc.record({
      body: text,
      bodyExcerpt: text,
      subject: text,
      channel: fc.integer({ min: 0, max: 1 }),
      sequenceStep: fc.integer({ min: 0, max: 50 }),
      tone: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
      sentAtMs: fc.integer({ min: Date.UTC(1990), max: Date.UTC(2040) }),
      sentOffsetMinutes: fc.option(fc.integer({ min: -840, max: 840 }), { nil: null }),
      sentHasTime: fc.boolean(),
      wordCount: fc.option(fc.nat(2_147_483_647), { nil: null }),
    });
    fc.assert(
      fc.property(anyMessage, (parts) => {
        const levels = levelsOf(parts);
        const dimensions = levels.map((level) => level.split(':')[0]);
        expect(new Set(dimensions).size).toBe(dimensions.length);
        expect(levels).toEqual([...levels].sort((a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b)));
        expect(levels).not.toContain('');
        expect(levelsOf(parts)).toEqual(levels);
        expect(dimensions.every((name) => DIMENSIONS.some((dimension) => dimension.name === name))).toBe(
          true,
        );
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });

  it.each([
    ['tags', '<a '.repeat(3_333)],
    ['open styles', '<style>'.repeat(1_428)],
    ['braces', '{{'.repeat(5_000)],
    ['blanks', ' '.repeat(10_000)],
    ['verbs of change', 'increase '.repeat(1_111)],
    ['dots', '.!?'.repeat(3_333)],
    ['greetings', 'hi '.repeat(3_333)],
  ])('are found in hostile %s before the time-out of the test', (_, text) => {
    // A pattern that backtracks needs minutes for these.
    expect(levelsOf({ body: text, subject: text.slice(0, 1_000) })).toBeDefined();
  });
});

describe('what is looked for in a text', () => {
  const levelOf = (dimension: string, parts: Partial<Message>) =>
    levelsOf(parts)
      .find((level) => level.startsWith(`${dimension}:`))
      ?.slice(dimension.length + 1);

  it.each([...['Re: ', 'RE:', 're : ', ' Re: ', 'Fw: ', 'FWD: ', 'AW: ', 'Wg: ', 'Re: Fwd: ', 'Re:Re:AW: ']])(
    'leaves the mark %j of a reply or forwarding out of a subject',
    (mark) => {
      expect(levelOf('subject_words', subject(`${mark}one two three`))).toBe('1_to_3');
    },
  );

  it.each(['Regarding: ', 'Before: ', 'Re ', 'one re: ', '- fw: '])('leaves %j in it', (words) => {
    expect(levelOf('subject_words', subject(`${words}one two three`))).toBe('4_to_6');
  });

  it('tells nothing of a subject without a text, and no length of one without a word', () => {
    for (const text of ['', ' ', 'Re: ', 'Re: Fwd:']) {
      expect(levelsOf(subject(text)).filter((level) => level.startsWith('subject'))).toEqual([]);
    }
    expect(levelsOf(subject('--- ?')).filter((level) => level.startsWith('subject'))).toEqual([
      'subject_question:with',
      'subject_number:without',
      'subject_personal:without',
    ]);
  });

  it.each([
    ...['you', 'your', 'yours', 'yourself', "you're", "you've", "you'll", "you'd", 'You’re'],
    ...['thank-you', '"you"', 'you?'],
  ])('is spoken to by %s', (word) => {
    for (const text of [word, `An idea ${word}`, `${word} chair`]) {
      expect(levelOf('subject_personal', subject(text))).toBe('with');
    }
  });

  it.each(['youth', 'bayou', 'you2', '2you', "you's", "d'you", 'yourt', 'yo'])(
    'is not spoken to by %s',
    (word) => {
      expect(levelOf('subject_personal', subject(`An idea ${word} chair`))).toBe('without');
    },
  );

  it.each([
    ...['{{first_name}}', '{{ x }}', '{{1}}', `{{${'1'.repeat(60)}}}`, '{first_name}', '{Company name}'],
    ...[
      '{ab}',
      `{${'a'.repeat(40)}}`,
      '[First Name]',
      '[last_name]',
      '[COMPANY]',
      `[first${' '.repeat(20)}]`,
    ],
  ])('finds the place %s for a merge field', (field) => {
    expect(levelOf('subject_personal', subject(`Chairs: ${field}!`))).toBe('with');
    expect(levelOf('personalization', body(`Chairs: ${field}!`))).toBe('light');
  });

  it.each([
    ...['{{}}', '{}', '{a}', '{1.5}', `{{${'1'.repeat(61)}}}`, `{${'a'.repeat(41)}}`, '{{a', 'first_name}'],
    ...['[name]', '[1]', '[the first]', `[first${' '.repeat(21)}]`, '[first-name]', 'first name]'],
  ])('finds none in %s', (text) => {
    expect(levelOf('subject_personal', subject(`Chairs: ${text}!`))).toBe('without');
    expect(levelOf('personalization', body(`Chairs: ${text}!`))).toBe('none');
  });

  it.each([
    ...['30%', '30 %', '30 percent', '30percent', '30 per cent', '2x', '2 x', '3 million', '3 billion'],
    ...['40k', '40 K', '5m', '5 m', '$5', '$ 5', '€5', '£5'],
    ...[
      'We save 12 hours',
      'saved 12',
      'saves us 12',
      'Saving them 12',
      'we cut 12',
      'cuts 12',
      'cutting 12',
    ],
    ...['reduced by 12', 'reduction of 12', 'increases 12', 'an increase of 12', 'boost 12', 'boosted 12'],
    ...['grow 12', 'grew 12', 'growth of 12', 'gain 12', 'gained 12', 'improved 12', 'raise 12', 'raised 12'],
    ...['added 12', 'generate 12', 'generated 12', `saved${' '.repeat(60)}12`],
  ])('finds a result in figures in "%s"', (text) => {
    expect(levelOf('social_proof_figures', body(`So ${text} a year.`))).toBe('with');
  });

  it.each([
    ...['30', '30 percentile', '2xl', '40km', '5min', '3 millionaires', 'x2', 'k5', '5 $'],
    ...['address 12', 'unsaved 12', 'savings 12', 'execute 12', 'regain 12', 'loaded 12'],
    ...['saved. Call 12', 'saved! 12', 'saved? 12', 'saved\n12', 'saved us a4', '12 saved'],
    ...[`saved${' '.repeat(61)}12`, 'saved many'],
  ])('finds none in "%s"', (text) => {
    expect(levelOf('social_proof_figures', body(`So ${text} a year.`))).toBe('without');
  });

  it.each([
    ...['Acme', 'For Acme', 'Acme: chairs', 'To (acme)', 'ACME-chairs', "acme's", '“Acme”'],
    // Mutation: only the first place is looked at.
    ...['Unacme for Acme', 'Acmes, acmeology, 2acme: Acme'],
  ])('finds the name of its reader in %s', (text) => {
    expect(levelOf('subject_personal', { ...subject(text), readerNames: ['globex', 'acme'] })).toBe('with');
    expect(levelOf('personalization', { ...body(text), readerNames: ['acme', 'globex'] })).toBe('light');
  });

  it.each(['Acmes', 'Acme2', '2acme', 'Unacme', 'Acmeé', 'éacme', 'acmeж', 'Ac me', 'The chair', 'x'])(
    'does not take %s for that name',
    (text) => {
      expect(levelOf('subject_personal', { ...subject(text), readerNames: ['acme'] })).toBe('without');
      expect(levelOf('personalization', { ...body(text), readerNames: ['acme'] })).toBe('none');
    },
  );

  it.each([
    ['VP Sales', 'light'],
    ['  vp SALES ', 'light'],
    ['CEO', 'light'],
    ['VP', 'none'],
    [' VP ', 'none'],
    ['', 'none'],
    ['Chef', 'none'],
    [null, 'none'],
  ])('finds the title %j of its reader: %s', (jobTitle, level) => {
    expect(levelOf('personalization', { ...body('Chairs for a VP Sales or CEO.'), jobTitle })).toBe(level);
    // A title in a subject is no name.
    expect(levelOf('subject_personal', { ...subject('VP Sales, CEO'), jobTitle })).toBe('without');
  });

  it.each([
    // body, excerpt, words as the caller counted, level
    ['one two', 'three', 60, 'under_50'],
    [null, 'one two', 60, '50_to_99'],
    ['', 'one two', 60, '50_to_99'],
    [null, null, 60, '50_to_99'],
    [null, 'one two', null, undefined],
    [null, null, 0, undefined],
    ['---', null, 60, undefined],
  ])('has the length of the body %j, excerpt %j and %j words: %s', (text, bodyExcerpt, wordCount, level) => {
    expect(levelOf('body_words', { body: text, bodyExcerpt, wordCount })).toBe(level);
  });

  it('reads the body where there is one, and else the excerpt', () => {
    const approach = (parts: Partial<Message>) => levelOf('messaging_approach', parts);
    expect(approach({ body: 'Who buys?', bodyExcerpt: 'We help teams.' })).toBe('question_led');
    expect(approach({ body: '', bodyExcerpt: 'We help teams.' })).toBe('value_led');
    expect(approach({ body: null, bodyExcerpt: null })).toBeUndefined();
  });

  it.each([
    ['I hope you are well. Who plans your hiring?', 'question_led'],
    ['I hope you are well. I noticed your article. Many teams struggle.', 'problem_led'],
    ['I hope you are well. I hope you are well. I hope you are well. Who buys?', 'other'],
    ['Hi Anna, we sell chairs. Who buys?', 'other'],
    ['Who buys? Jim Doe suggested I write.', 'question_led'],
    ['Do teams struggle? We help.', 'question_led'],
    ['Many teams struggle, and we help them.', 'problem_led'],
    ['Wasted hours are many.', 'problem_led'],
    ['Hi Anna,\nI hope you are well.\nWasted hours are many.', 'problem_led'],
    ['I hope you are well.Wasted hours are many.', 'problem_led'],
    ['We sell chairs.Wasted hours are many.', 'other'],
    ['Hi Anna, many. Teams struggle.', 'other'],
    ['', undefined],
    ['Hi Anna,', 'other'],
  ])('is led, in %j, by the first sentence that is no politeness: %s', (text, level) => {
    expect(levelOf('messaging_approach', body(text))).toBe(level);
  });
});
