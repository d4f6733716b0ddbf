const scopes = ['TenantScope', 'SystemScope'];
const transactions = ['TenantTransaction', 'SystemTransaction'];
const hidden = ['private', 'protected'];

/** @typedef {import('./decorators.mjs').Node} Node */

/** @param {Node} type @param {readonly string[]} names @returns {boolean} */
const isType = (type, names) =>
  type?.type === 'TSUnionType'
    ? type.types.every((/** @type {Node} */ one) => isType(one, names))
    : type?.type === 'TSTypeReference' &&
      type.typeName.type === 'Identifier' &&
      names.includes(type.typeName.name);

/**
 * Optional and defaulted parameters do not count: they let a caller omit the scope. A destructured scope does not count
 * either, because it can no longer be passed on; a destructured transaction does, because its parts do the work.
 * @param {Node} callable
 */
const takesScopeFirst = ({ params: [first] }) => {
  const type = first?.typeAnnotation?.typeAnnotation;
  if (first?.type === 'ObjectPattern') return isType(type, transactions);
  return first?.type === 'Identifier' && !first.optional && isType(type, [...scopes, ...transactions]);
};

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: {
      description:
        'Every public method of a repository, overloads included, takes its scope or transaction as the first parameter, or mints a SystemScope itself.',
    },
    schema: [],
    messages: {
      unscoped:
        'The first parameter of "{{name}}" must be a TenantScope or a transaction, unless the method mints a SystemScope: every query needs one.',
    },
  },
  create(context) {
    /** Callables that mint a SystemScope, and so declare that they belong to no single tenant. */
    const minting = new Set();
    /** @type {{ member: Node, callable: Node }[]} */
    const candidates = [];
    /** @param {Node} member @param {Node} callable */
    const note = (member, callable) => {
      const isPublic = !hidden.includes(member.accessibility) && member.key.type !== 'PrivateIdentifier';
      if (isPublic && member.kind !== 'constructor' && !takesScopeFirst(callable))
        candidates.push({ member, callable });
    };
    return {
      ':matches(MethodDefinition, TSAbstractMethodDefinition)': (/** @type {Node} */ node) =>
        note(node, node.value),
      'PropertyDefinition[value.type=/^(ArrowFunctionExpression|FunctionExpression)$/]': (
        /** @type {Node} */ node,
      ) => note(node, node.value),
      'CallExpression[callee.name="mintSystemScope"]': (/** @type {Node} */ node) => {
        for (const ancestor of context.sourceCode.getAncestors(node)) minting.add(ancestor);
      },
      'Program:exit': () => {
        for (const { member, callable } of candidates) {
          if (minting.has(callable)) continue;
          context.report({
            node: member.key,
            messageId: 'unscoped',
            data: { name: context.sourceCode.getText(member.key) },
          });
        }
      },
    };
  },
};
