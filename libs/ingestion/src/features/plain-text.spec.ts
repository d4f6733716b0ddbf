import { readText } from './plain-text';

const textOf = (raw: string) => readText(raw).text;

describe('the text of HTML', () => {
  it.each([
    ['&nbsp;', ' '],
    ['&amp;', '&'],
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&#39;', "'"],
    ['&apos;', "'"],
  ])('has for each %s what it stands for, %j', (entity, character) => {
    expect(textOf(`a${entity}b${entity}${entity}c`)).toBe(`a${character}b${character}${character}c`);
  });

  it('decodes an entity once, and leaves what it does not know', () => {
    expect(textOf('&amp;lt;b&amp;gt;')).toBe('&lt;b&gt;');
    expect(textOf('AT&T, R & D, &copy; &amp')).toBe('AT&T, R & D, &copy; &amp');
  });

  it('takes for no tag what its entities make of it', () => {
    expect(textOf('1 &lt;b&gt; 2')).toBe('1 <b> 2');
  });

  it.each(['<b>', '</b>', '<B>', '<i class="x">', '<a href="https://x.org/?a=1">', '<hr/>', '<td>', '<h7>'])(
    'has a blank in place of the tag %s, wherever it stands',
    (tag) => {
      expect(textOf(`${tag}one${tag}two${tag}`)).toBe(' one two ');
    },
  );

  it.each(['<br>', '<br/>', '<BR />', '</p>', '</div>', '</li>', '</h1>', '</h6>', '</P >'])(
    'has a line end in place of %s, wherever it stands',
    (tag) => {
      expect(textOf(`one${tag}two${tag}`)).toBe('one\ntwo\n');
    },
  );

  it.each(['<brand>', '</pre>', '</link>', '<p>', '<li>', '</h0>'])('has no line end for %s', (tag) => {
    expect(textOf(`one${tag}two`)).toBe('one two');
  });

  it.each(['1 < 2', 'a <- b -> c', '<3 you', 'a <> b', '</>', '<', '< b>', 'x <b', '<1>'])(
    'leaves %j, which is no tag',
    (text) => {
      expect(textOf(text)).toBe(text);
    },
  );

  it('begins a tag with the last bracket before its name', () => {
    expect(textOf('1 < 2 <b>bold</b>')).toBe('1 < 2  bold ');
    expect(textOf('<a <b>x')).toBe('<a  x');
  });

  it.each([
    '<style>p { color: red }</style>',
    '<script>alert(1)</script>',
    '<STYLE type="text/css">p {}\n\nh1 {}</STYLE>',
    '<script src="x.js"></script>',
    '<script>if (a < b) document.write("<p>x</p>")</script>',
    `<style>${'x'.repeat(10_000)}</style>`,
  ])('shows nothing of %.60s', (invisible) => {
    expect(textOf(`one${invisible}two`)).toBe('one two');
  });

  it('shows what stands between two styles, or is none', () => {
    expect(textOf('<style>a</style>one<style>b</style>')).toBe(' one ');
    expect(textOf('<style>one</script>two')).toBe(' one two');
    expect(textOf('<stylesheet>one</style>two')).toBe(' one two');
  });

  // Without bounds, a text of nothing but beginnings would be searched to its end for each.
  it('looks for the end of a tag and of a style within bounds', () => {
    const tag = (length: number) => `<b${'x'.repeat(length)}>`;
    expect(textOf(tag(500))).toBe(' ');
    expect(textOf(tag(501))).toBe(tag(501));
    const style = (length: number) => `<style>${'x'.repeat(length)}</style>`;
    expect(textOf(style(10_000))).toBe(' ');
    expect(textOf(style(10_001))).toBe(` ${'x'.repeat(10_001)} `);
  });
});

describe('a text', () => {
  it('has plain quotes for typographic ones', () => {
    expect(textOf('\u2018a\u2019 \u2018b\u2019, don\u02BCt, \u201Cc\u201D \u201Cd\u201D')).toBe(
      `'a' 'b', don't, "c" "d"`,
    );
  });

  it('is read in lower case, as its words are', () => {
    const { text, lower, tokens, wordCount } = readText('Hi\u00a0ANNA, it\u2019s Tom');
    expect(text).toBe("Hi\u00a0ANNA, it's Tom");
    expect(lower).toBe("hi\u00a0anna, it's tom");
    expect([tokens.lower, tokens.count, wordCount]).toEqual([lower, 4, 4]);
  });
});
