const scopes = ['TenantScope', 'SystemScope'];
const hidden = ['private', 'protected'];

const isScopeType = (type) =>
  type?.type === 'TSUnionType'
    ? type.types.every(isScopeType)
    : type?.type === 'TSTypeReference' &&
      type.typeName.type === 'Identifier' &&
      scopes.includes(type.typeName.name);

/** Optional, defaulted and destructured parameters do not count: they let a caller go without the scope. */
const takesScopeFirst = ({ params: [first] }) =>
  first?.type === 'Identifier' && !first.optional && isScopeType(first.typeAnnotation?.typeAnnotation);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'Every public method of a repository, overloads included, takes its scope first.' },
    schema: [],
    messages: {
      unscoped:
        'The first parameter of "{{name}}" must be a TenantScope (or a SystemScope): no query without one.',
    },
  },
  create(context) {
    const check = (member, callable) => {
      const isPublic = !hidden.includes(member.accessibility) && member.key.type !== 'PrivateIdentifier';
      if (!isPublic || member.kind === 'constructor' || takesScopeFirst(callable)) return;
      context.report({
        node: member.key,
        messageId: 'unscoped',
        data: { name: context.sourceCode.getText(member.key) },
      });
    };
    return {
      ':matches(MethodDefinition, TSAbstractMethodDefinition)': (node) => check(node, node.value),
      'PropertyDefinition[value.type=/^(ArrowFunctionExpression|FunctionExpression)$/]': (node) =>
        check(node, node.value),
    };
  },
};
