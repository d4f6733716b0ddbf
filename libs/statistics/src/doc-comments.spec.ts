import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as statistics from '.';

/** A function declaration, or a constant that holds an arrow function, with its doc comment as TypeScript parses it. */
interface Documented {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly comment: ts.JSDoc | undefined;
}

function functionsIn(source: ts.SourceFile): Documented[] {
  const isExported = (node: ts.HasModifiers): boolean =>
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const describeFunction = (
    name: string,
    signature: ts.FunctionDeclaration | ts.ArrowFunction,
    owner: ts.Node,
  ): Documented => ({
    name,
    parameters: signature.parameters.map((parameter) => parameter.name.getText(source)),
    comment: ts.getJSDocCommentsAndTags(owner).filter(ts.isJSDoc).at(-1),
  });
  return source.statements.flatMap((statement): Documented[] => {
    if (ts.isFunctionDeclaration(statement) && statement.name && isExported(statement))
      return [describeFunction(statement.name.text, statement, statement)];
    if (!ts.isVariableStatement(statement) || !isExported(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && ts.isArrowFunction(initializer)
        ? [describeFunction(name.getText(source), initializer, statement)]
        : [],
    );
  });
}

const parse = (text: string): Documented[] =>
  functionsIn(ts.createSourceFile('any.ts', text, ts.ScriptTarget.Latest, true));

/** The codes that `StatsDomainError` may carry, read from its own declaration. */
const codes: readonly string[] =
  readFileSync(join(__dirname, 'numerics/stats-domain-error.ts'), 'utf8').match(/(?<=\| ')\w+/g) ?? [];

/** What the doc comment lacks: summary, shapes, every parameter's domain, result, errors, reference, example. */
function gaps({ name, parameters, comment }: Documented): string[] {
  if (!comment) return [`${name}: no doc comment`];
  const whole = comment.getText();
  const tags = comment.tags ?? [];
  /** First paragraph only: what follows the last tag would count as part of it. */
  const text = (tag: ts.JSDocTag): string =>
    (ts.getTextOfJSDocComment(tag.comment) ?? '').trim().split('\n\n')[0] as string;
  const tagged = (tagName: string): ts.JSDocTag[] => tags.filter((tag) => tag.tagName.text === tagName);
  const explained = tagged('param')
    .filter((tag) => text(tag).replace(/^-\s*/, '') !== '')
    .map((tag) => (ts.isJSDocParameterTag(tag) ? tag.name.getText() : ''));
  const thrown = [
    ...tagged('throws')
      .map(text)
      .join(' ')
      .matchAll(/`(\w+)`/g),
  ].map(([, code]) => code as string);
  const fixtures = [...whole.matchAll(/fixtures\/[\w.-]+\.json/g)].map(([path]) => path);
  const missing: readonly (readonly [string, boolean])[] = [
    ['what it does', /^(Shapes|$)/.test((ts.getTextOfJSDocComment(comment.comment) ?? '').trim())],
    ['Shapes: ... in, ... out', !/\* Shapes: [^@]* in[,;] [^@]* out\b/.test(whole)],
    ...parameters.map((p) => [`@param ${p} - domain`, !explained.includes(p)] as const),
    ['@returns with text', !tagged('returns').some((tag) => text(tag) !== '')],
    ['@throws with codes, or "Never throws."', thrown.length === 0 && !whole.includes('Never throws.')],
    ['only codes that exist', thrown.some((code) => !codes.includes(code))],
    ['Reference: ...', !/\* Reference: \S/.test(whole)],
    ['an @example that ends with its value', !tagged('example').some((tag) => /; \/\/ \S/.test(text(tag)))],
    ['fixtures that exist', fixtures.some((path) => !existsSync(join(__dirname, '..', path)))],
  ];
  return missing.filter(([, isMissing]) => isMissing).map(([what]) => `${name}: ${what}`);
}

const declared = new Map(
  readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/^(testing|verify)\b/.test(file))
    .flatMap((file) => parse(readFileSync(join(__dirname, file), 'utf8')))
    .map((found) => [found.name, found] as const),
);
const isClass = (value: unknown): boolean => /^class\b/.test(String(value));
const exported = Object.entries(statistics)
  .filter(([, value]) => typeof value === 'function' && !isClass(value))
  .map(([name]) => name);

describe('every exported function says its shapes, domains, result, errors, reference and an example', () => {
  it('all exports are found in the sources', () => {
    expect(exported.length).toBeGreaterThan(40);
    expect(exported.filter((name) => !declared.has(name))).toEqual([]);
  });
  it.each(exported)('%s', (name) => {
    expect(gaps(declared.get(name) as Documented)).toEqual([]);
  });
});

describe('the check sees what is missing', () => {
  const complete = [
    'Doubles a number.',
    '',
    'Shapes: scalar in, scalar out.',
    '@param x - finite',
    '@returns twice x',
    '@throws StatsDomainError with code `range`',
    '',
    'Reference: arithmetic.',
    '',
    '@example',
    'double(1); // 2',
  ];
  const gapsOf = (lines: readonly string[]): string[] =>
    parse(
      `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\nexport const double = (x: number) => 2 * x;`,
    ).flatMap(gaps);
  it('accepts a complete comment, and refuses it without any one of its parts', () => {
    expect(gapsOf(complete)).toEqual([]);
    const parts = complete.filter((line) => line !== '' && line !== '@example');
    for (const part of parts) expect(gapsOf(complete.filter((line) => line !== part))).toHaveLength(1);
  });
  it('refuses an unknown code, a fixture that is not there, and no comment at all', () => {
    const instead = (from: string, to: string): string[] =>
      gapsOf(complete.map((line) => line.replace(from, to)));
    expect(instead('`range`', '`rnage`')).toEqual(['double: only codes that exist']);
    expect(instead('arithmetic.', 'fixtures/none.json')).toEqual(['double: fixtures that exist']);
    expect(parse('export function bare(): void {}').flatMap(gaps)).toEqual(['bare: no doc comment']);
  });
});
