/** In capitals and followed by more text, so that prose and names of HTTP methods do not match. */
const STATEMENT =
  /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|WITH|TRUNCATE|LOCK TABLE|NOTIFY)\s+\S/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'SQL belongs in repositories.' },
    schema: [],
    messages: { sql: 'Move this statement into a *.repository.ts file: only repositories contain SQL.' },
  },
  create(context) {
    /** @param {import('eslint').Rule.Node} node @param {string} text */
    const check = (node, text) => {
      if (STATEMENT.test(text)) context.report({ node, messageId: 'sql' });
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked).join('…')),
    };
  },
};
