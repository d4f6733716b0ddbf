import { decoratorReader } from './decorators.mjs';

const houseDecorators = ['RequirePermission', 'Guarded', 'Public'];

/** `UseGuards()` without a guard guards nothing. A house decorator must come from a lib of the house. */
const guards = ({ name, source, argumentCount }) =>
  (name === 'UseGuards' && source === '@nestjs/common' && argumentCount > 0) ||
  (houseDecorators.includes(name) && (source.startsWith('@outcomes/') || source.startsWith('.')));

/** What makes an object a route of the fast path, which no decorator guards. */
const routeFields = ['method', 'path', 'takes', 'answer'];
/** What lets a request in there, or refuses it. */
const admissions = ['pass', 'admit'];

const isRoute = ({ properties }) =>
  routeFields.every((field) => properties.some(({ key }) => key?.name === field));

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'Every handler says who may call it, on itself or on its class.' },
    schema: [],
    messages: {
      unguarded:
        'Nobody guards the handler "{{name}}". Give it (or its class) @RequirePermission(...), @UseGuards(...) or, on purpose, @Public().',
      unguardedRoute:
        'Nobody is let in or refused on this route of the fast path. Await the admission first: admission.pass(exchange, rule).',
    },
  },
  create(context) {
    const decorators = decoratorReader(context.sourceCode.ast);
    const isGuarded = (node) => decorators.of(node).some(guards);
    const routes = [];
    let admitted = 0;
    return {
      ObjectExpression(node) {
        if (isRoute(node)) routes.push(node);
      },
      'AwaitExpression > CallExpression > MemberExpression'({ property }) {
        if (admissions.includes(property.name)) admitted += 1;
      },
      'Program:exit'() {
        for (const node of routes.slice(admitted)) context.report({ node, messageId: 'unguardedRoute' });
      },
      MethodDefinition(node) {
        if (!decorators.isHandler(node) || isGuarded(node) || isGuarded(node.parent.parent)) return;
        context.report({
          node: node.key,
          messageId: 'unguarded',
          data: { name: context.sourceCode.getText(node.key) },
        });
      },
    };
  },
};
