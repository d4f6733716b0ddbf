import { decoratorReader } from './decorators.mjs';

const houseDecorators = ['RequirePermission', 'Guarded', 'Public'];

/** `UseGuards()` without a guard guards nothing. A house decorator must come from a lib of the house. */
const guards = ({ name, source, argumentCount }) =>
  (name === 'UseGuards' && source === '@nestjs/common' && argumentCount > 0) ||
  (houseDecorators.includes(name) && (source.startsWith('@outcomes/') || source.startsWith('.')));

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'Every handler says who may call it, on itself or on its class.' },
    schema: [],
    messages: {
      unguarded:
        'Nobody guards the handler "{{name}}". Give it (or its class) @RequirePermission(...), @UseGuards(...) or, on purpose, @Public().',
    },
  },
  create(context) {
    const decorators = decoratorReader(context.sourceCode.ast);
    const isGuarded = (node) => decorators.of(node).some(guards);
    return {
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
