/** In capitals, and followed by what a statement goes on with: prose and names of HTTP methods are none. */
const STATEMENT =
  /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|WITH|TRUNCATE|LOCK TABLE|NOTIFY)\s+\S/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'SQL stands in repositories.' },
    schema: [],
    messages: { sql: 'A statement stands in a *.repository.ts file, where it is seen who asks for what.' },
  },
  create(context) {
    const check = (node, text) => {
      if (STATEMENT.test(text)) context.report({ node, messageId: 'sql' });
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked).join('…')),
    };
  },
};
