import { decoratorReader } from './decorators.mjs';

/** @typedef {import('./decorators.mjs').Node} Node */

const oneStatement = ['ReturnStatement', 'ExpressionStatement'];

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'suggestion',
    docs: {
      description: 'A handler is one statement: hand the request to a service. No try, no HttpException.',
    },
    schema: [],
    messages: {
      oneStatement: 'The handler "{{name}}" must be one statement that calls a service; this has {{count}}.',
      plainStatement: 'The one statement of the handler "{{name}}" must be a return or a call.',
      noBlock: 'A block of code inside the handler "{{name}}" belongs in a service.',
      noTry: 'The handler "{{name}}" must not catch: the exception filter writes every error.',
      noHttpException:
        'The handler "{{name}}" must not make an HttpException: throw AppError in the service.',
    },
  },
  create(context) {
    const decorators = decoratorReader(context.sourceCode.ast);
    /** @type {(string | undefined)[]} */
    const handlers = [];
    /** @param {string} messageId @returns {(node: Node) => void} */
    const inHandler = (messageId) => (node) => {
      const name = handlers.at(-1);
      if (name) context.report({ node, messageId, data: { name } });
    };
    /** @param {Node} node */
    const block = (node) => {
      if (node.body.type === 'BlockStatement') inHandler('noBlock')(node);
    };
    return {
      MethodDefinition(node) {
        const name = decorators.isHandler(node) ? context.sourceCode.getText(node.key) : undefined;
        handlers.push(name);
        const body = node.value.body?.body;
        if (!name || !body) return;
        const [only] = body;
        if (!only || body.length !== 1) {
          context.report({ node: node.key, messageId: 'oneStatement', data: { name, count: body.length } });
        } else if (!oneStatement.includes(only.type)) {
          context.report({ node: node.key, messageId: 'plainStatement', data: { name } });
        }
      },
      'MethodDefinition:exit'() {
        handlers.pop();
      },
      TryStatement: inHandler('noTry'),
      ArrowFunctionExpression: block,
      'FunctionExpression:not(MethodDefinition > FunctionExpression)': block,
      'NewExpression[callee.name=/Exception$/]': inHandler('noHttpException'),
      'NewExpression[callee.property.name=/Exception$/]': inHandler('noHttpException'),
    };
  },
};
