/**
 * @typedef {any} Node A node of the syntax tree that typescript-eslint makes.
 * @typedef {{ name: string, source: string, argumentCount: number }} Decorator One that is called and imported.
 */

const verbs = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options', 'All', 'Search', 'Sse'];

/**
 * What a file's import declarations bind: local name -> name in the package and the package.
 * `import { Get as Read } from '@nestjs/common'` gives `Read -> { imported: 'Get', source: '@nestjs/common' }`;
 * a namespace import is bound with `imported: '*'`.
 * @param {Node} program
 * @returns {Map<string, { imported: string, source: string }>}
 */
function importsOf(program) {
  const bound = new Map();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement.specifiers) {
      const imported =
        specifier.type === 'ImportSpecifier' ? (specifier.imported.name ?? specifier.imported.value) : '*';
      bound.set(specifier.local.name, { imported, source: statement.source.value });
    }
  }
  return bound;
}

/**
 * Reads decorators as a program means them, through aliases and namespace imports.
 * A name that no import binds is never taken for the decorator of that name.
 * @param {Node} program
 */
export function decoratorReader(program) {
  const imports = importsOf(program);
  /** @param {Node} decorator @returns {Decorator | undefined} */
  const resolve = ({ expression }) => {
    if (expression.type !== 'CallExpression') return undefined;
    const { callee } = expression;
    const argumentCount = expression.arguments.length;
    if (callee.type === 'Identifier') {
      const found = imports.get(callee.name);
      return found && { name: found.imported, source: found.source, argumentCount };
    }
    if (callee.type === 'MemberExpression' && !callee.computed && callee.object.type === 'Identifier') {
      const found = imports.get(callee.object.name);
      return found?.imported === '*'
        ? { name: callee.property.name, source: found.source, argumentCount }
        : undefined;
    }
    return undefined;
  };
  /** The decorators of a class or a member. @param {Node} node @returns {Decorator[]} */
  const of = (node) => (node.decorators ?? []).map(resolve).filter(Boolean);
  return {
    of,
    /** Whether a class member answers an HTTP verb. @param {Node} member */
    isHandler: (member) =>
      of(member).some(({ name, source }) => source === '@nestjs/common' && verbs.includes(name)),
  };
}
