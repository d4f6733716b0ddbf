import fc from 'fast-check';
import { readText } from './plain-text';
import { placeholderTextId, textIdOf, textIdsOf } from './text-id';

const BODY = `hi there, i noticed that your team is hiring engineers in berlin. most teams of your size lose two days a
  month to release chores. we take them off your hands in one afternoon. would it be worth a short call next week?`;

describe('the id of a text', () => {
  it('is the same for the same words, whatever stands between them', () => {
    expect(textIdOf(`a short note ${BODY}`, [])).toBe(
      textIdOf(`a  short, note! ${BODY.replaceAll(' ', '\n')}`, []),
    );
  });

  it('is another for another text', () => {
    const ids = new Set(
      Array.from({ length: 500 }, (_, n) => textIdOf(`${n} words about ${n * 7} things`, [])),
    );
    expect(ids.size).toBe(500);
  });

  it('is the same for a text that was read as for its letters', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme-ascii' })),
        (letters) => {
          const text = readText(letters);
          expect(textIdOf(text, ['acme'])).toBe(textIdOf(text.lower, ['acme']));
        },
      ),
      { seed: 7, numRuns: 1_000 },
    );
  });

  it('passes the names of readers over', () => {
    const to = (name: string, company: string) =>
      textIdOf(`${name}, a question: hi ${name}, is ${company} ${BODY}`, [name, company]);
    expect(to('anna', 'acme steel works')).toBe(to('jean-luc', 'globex'));
  });

  it('mostly survives a merge field that nobody told of', () => {
    const places = [
      'paris',
      'rome',
      'oslo',
      'new york',
      'são paulo',
      'kyiv',
      'lagos',
      'lima',
      'perth',
      'turin',
    ];
    const ids = Array.from({ length: 400 }, (_, n) => {
      const text = `${n} ${BODY.replaceAll('engineers', `role${n}`)} ps greetings from ${places[n % 10]}`;
      return textIdOf(text, []);
    });
    const times = Math.max(...[...Map.groupBy(ids, (id) => id).values()].map((same) => same.length));
    expect(times / ids.length).toBeGreaterThan(0.6);
  });

  it('knows texts in any script', () => {
    const ids = [
      'пишу вам о новом проекте, будет ли время на звонок',
      'пишу вам о старом проекте, не будет ли времени на звонок завтра',
      '私はあなたのチームについて書いています',
      '来週お電話でお話しできますか',
      '새로운 프로젝트에 대해 이야기하고 싶습니다',
      'ok',
    ].map((text) => textIdOf(text, []));
    expect(new Set(ids).size).toBe(6);
  });

  // Ids are stored, and counts by text are added up over years.
  it.each([
    ['ok', -1_184_759_911],
    ["don't ask", 1_333_775_747],
    ['one two three', 880_755_174],
    ['one two three four', -1_359_872_842],
    ['we take release chores off your hands in one afternoon', 1_333_686_964],
    ['für são paulo, naïve und 30 mehr', -749_060_429],
    ['пишу вам о новом проекте', -2_098_206_095],
    ['私はあなたのチーム、について', -114_834_238],
    ['새로운 프로젝트에 대해 ok', 1_340_101_693],
    ['😀 2 you', 1_876_601_545],
  ])('is for "%s" what it was in earlier versions', (text, id) => {
    for (const given of [text, readText(text)]) expect(textIdOf(given, [])).toBe(id);
  });

  describe('knows words by their characters', () => {
    const one = (text: string) => textIdOf(text, []);

    it.each([..."az09'ÀßÿжԱ\u1fff가힣"])('%j is part of a word', (character) => {
      expect(one(`x${character}y`)).not.toBe(one('x y'));
      expect(one(`x${character}y`)).not.toBe(one(`x ${character} y`));
    });

    it.each([...'私あ⺀\uabff\ud7a4ﾍ\uffff'])('%j is a word by itself', (character) => {
      expect(one(`x${character}y`)).toBe(one(`x ${character} y`));
      expect(one(`x${character}y`)).not.toBe(one('x y'));
    });

    it.each([...'`{/:"&\u00bf\u2000\u2013\u2e7f\u3000。\u303f \n\0'])('%j parts words', (character) => {
      expect(one(`x${character}y`)).toBe(one('x y'));
      expect(one(`${character}x y${character}`)).toBe(one('x y'));
    });
  });

  it('spreads over the bins', () => {
    const bins = new Array<number>(64).fill(0);
    for (let n = 0; n < 6_400; n += 1) {
      const bin = ((textIdOf(`message ${n} of many ${n * n}`, []) ?? 0) >>> 0) % 64;
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    // 100 expected in each; five standard deviations.
    expect(Math.min(...bins)).toBeGreaterThan(50);
    expect(Math.max(...bins)).toBeLessThan(150);
  });

  it('is of 32 bits for any text, and undefined for none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string()), (text) => {
        const id = textIdOf(text, []);
        expect(id === undefined || (id | 0) === id).toBe(true);
      }),
    );
    expect(textIdOf(' …!? ', [])).toBeUndefined();
    expect(textIdOf('anna', ['anna'])).toBeUndefined();
  });
});

describe('where no text is known', () => {
  it('messages of one campaign, step and variant share an id', () => {
    expect(placeholderTextId('c', 1, null)).toBe(placeholderTextId('c', 1, null));
    const others = [
      placeholderTextId('c', 1, null),
      placeholderTextId('c', 2, null),
      placeholderTextId('c', 1, 'null'),
      placeholderTextId(null, 1, null),
    ];
    expect(new Set(others).size).toBe(4);
  });

  it.each([
    ['c', 1, null, -928_356_926],
    [null, 0, null, 932_982_532],
    ['kampagne ü😀', 12, 'b', 479_641_991],
  ])(
    'the id of campaign %j, step %i and variant %j is what it was in earlier versions',
    (campaign, step, variant, id) => {
      expect(placeholderTextId(campaign, step, variant)).toBe(id);
    },
  );
});

describe('the ids of a message', () => {
  const place = { campaignId: 'c', step: 0, variantId: null };
  const idsOf = (subject: string | undefined, body: string | undefined) =>
    textIdsOf(
      {
        subject: subject === undefined ? undefined : readText(subject),
        body: body === undefined ? undefined : readText(body),
      },
      [],
      place,
    );

  it('are one of the body, whatever the subject, and one of the subject, whatever the body', () => {
    const [one, other] = [idsOf('a question', BODY), idsOf('ideas for you', BODY)];
    expect(one.textId).toBe(other.textId);
    expect(one.subjectId).not.toBe(other.subjectId);
    expect(idsOf('a question', 'something else').subjectId).toBe(one.subjectId);
    expect(idsOf('a question', 'something else').textId).not.toBe(one.textId);
  });

  it('are both of what is known, or of the place where nothing is', () => {
    for (const [subject, body] of [
      ['a question', undefined],
      [undefined, BODY],
      ['…', BODY],
      ['a question', ''],
    ] as const) {
      const { textId, subjectId } = idsOf(subject, body);
      expect([textId, subjectId]).toEqual([textId, textId]);
      expect(textId).toBe(textIdOf(subject === 'a question' ? subject : BODY, []));
    }
    const unknown = placeholderTextId('c', 0, null);
    expect(idsOf(undefined, undefined)).toEqual({ textId: unknown, subjectId: unknown });
  });
});
