import { decoratorReader } from './decorators.mjs';

/**
 * @typedef {import('./decorators.mjs').Decorator} Decorator
 * @typedef {import('./decorators.mjs').Node} Node
 */

const accessDecorators = ['RequirePermission', 'Guarded', 'ForVisitors', 'Public'];

/** A decorator of access must come from a lib of this repository. @param {Decorator} decorator */
const declares = ({ name, source }) =>
  accessDecorators.includes(name) && (source.startsWith('@outcomes/') || source.startsWith('.'));
/** `UseGuards()` without a guard guards nothing. @param {Decorator} decorator */
const usesGuards = ({ name, source, argumentCount }) =>
  name === 'UseGuards' && source === '@nestjs/common' && argumentCount > 0;

/** What hands a handler the request past the pipeline. */
const pastThePipeline = [
  ...[
    'Req',
    'Request',
    'Res',
    'Response',
    'Next',
    'Body',
    'RawBody',
    'Headers',
    'Ip',
    'HostParam',
    'Session',
  ],
  ...['UploadedFile', 'UploadedFiles'],
];
/** What makes an object a route that no controller declares. */
const routeFields = ['method', 'path', 'answer'];

/** @param {Node} object */
const isRoute = ({ properties }) =>
  routeFields.every((field) => properties.some((/** @type {Node} */ { key }) => key?.name === field));

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'Every handler says who may call it, on itself or on its class.' },
    schema: [
      {
        type: 'object',
        properties: {
          // Nothing but the pipeline lets requests in: other guards do not count, and handlers take no raw requests.
          byPipeline: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    ],
    messages: {
      unguarded:
        'Nobody guards the handler "{{name}}". Give it (or its class) @RequirePermission(...), @Guarded() or, on purpose, @Public().',
      raw: '@{{name}}() reads the request past the pipeline. Take @RawBody() with @TakesBody(...), or @OfExchange().',
      undeclaredRoute:
        'Nobody is let in or refused on this route. Declare it on a controller, with @Direct() where it is hot.',
    },
  },
  create(context) {
    const byPipeline = context.options[0]?.byPipeline === true;
    const decorators = decoratorReader(context.sourceCode.ast);
    /** @param {Node} node */
    const isGuarded = (node) =>
      decorators.of(node).some((decorator) => declares(decorator) || (!byPipeline && usesGuards(decorator)));
    /** @param {Node} handler */
    const reportRaw = ({ params }) => {
      for (const parameter of params) {
        for (const { name, source } of decorators.of(parameter)) {
          if (source !== '@nestjs/common' || !pastThePipeline.includes(name)) continue;
          context.report({ node: parameter, messageId: 'raw', data: { name } });
        }
      }
    };
    return {
      ObjectExpression(node) {
        if (byPipeline && isRoute(node)) context.report({ node, messageId: 'undeclaredRoute' });
      },
      MethodDefinition(node) {
        if (!decorators.isHandler(node)) return;
        if (byPipeline) reportRaw(node.value);
        if (isGuarded(node) || isGuarded(node.parent.parent)) return;
        context.report({
          node: node.key,
          messageId: 'unguarded',
          data: { name: context.sourceCode.getText(node.key) },
        });
      },
    };
  },
};
