/** @typedef {import('./decorators.mjs').Node} Node */

/**
 * Makes a rule that forbids some packages. Which files it binds is said in eslint.config.mjs, by `files` and
 * `ignores`, so that each boundary is one block there. ESLint's own no-restricted-imports holds one list per file:
 * the last block that sets it would silently remove the boundaries set before it.
 *
 * @param {{ forbids: (path: string) => boolean, description: string }} boundary
 * @returns {import('eslint').Rule.RuleModule}
 */
export const forbiddenImport = ({ forbids, description }) => ({
  meta: {
    type: 'problem',
    docs: { description },
    schema: [],
    messages: { forbidden: `"{{path}}" is out of bounds here. ${description}` },
  },
  create(context) {
    /** @param {Node} source */
    const check = (source) => {
      const path = source?.type === 'TSLiteralType' ? source.literal.value : source?.value;
      if (typeof path === 'string' && forbids(path)) {
        context.report({ node: source, messageId: 'forbidden', data: { path } });
      }
    };
    return {
      ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression)': (
        /** @type {Node} */ node,
      ) => check(node.source),
      TSImportType: (/** @type {Node} */ node) => check(node.source ?? node.argument),
      TSExternalModuleReference: (/** @type {Node} */ node) => check(node.expression),
      'CallExpression[callee.name="require"]': (/** @type {Node} */ node) => check(node.arguments[0]),
    };
  },
});
