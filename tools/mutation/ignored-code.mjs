// Not type-checked (tools/tsconfig.json): Stryker, whose types these are, is installed by verify-mutation.ts alone.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/**
 * Why a place is not mutated, undefined where it is: what only a programmer reads, and what only Nest reads. That such an
 * error is thrown, such a line is logged and such a part is wired stays under test.
 * @param {import('@stryker-mutator/api/ignore').NodePath} path
 */
function shouldIgnore(path) {
  if (path.isDecorator()) return 'wiring, without which no test starts';
  if (path.isNewExpression() && path.get('callee').isIdentifier()) {
    const { name } = /** @type {{ name: string }} */ (path.get('callee').node);
    if (/^(Range|Type|Syntax)?Error$/.test(name)) return 'the text of an error that no caller sees';
  }
  const isText = path.isStringLiteral() || path.isTemplateLiteral();
  if (isText && path.parentPath?.isCallExpression()) {
    const callee = path.parentPath.get('callee');
    if (/\blogger\b.*\.(log|warn|error|debug|verbose)$/i.test(callee.toString()))
      return 'the text of a log line';
    if (callee.isIdentifier({ name: 'requireDomain' }) && path.key === 2)
      return 'the text of an error whose code is what callers see';
  }
  return undefined;
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'ignored-code', { shouldIgnore })];
