import { ruleTester } from './rule-tester.mjs';
import rule from './thin-controller.mjs';

/** @param {string} body */
const controller = (body, imports = "import { Controller, Get } from '@nestjs/common';") =>
  `${imports} @Controller() class Patterns { constructor(private readonly patterns: Service) {} ${body} }`;
/** @param {...string} messageIds */
const errors = (...messageIds) => messageIds.map((messageId) => ({ messageId }));

ruleTester.run('thin-controller', rule, {
  valid: [
    {
      name: 'returns the call',
      code: controller('@Get() list(@Who() who: Who) { return this.patterns.list(who.scope); }'),
    },
    { name: 'calls', code: controller('@Get() async list() { await this.patterns.list(); }') },
    {
      name: 'an arrow that is an expression',
      code: controller('@Get() list() { return this.rows().map((row) => row.id); }'),
    },
    { name: 'a method that answers no verb', code: controller('rows() { const a = 1; return a; }') },
    {
      name: 'a decorator of the same name from elsewhere',
      code: controller('@Get() list() { const a = 1; return a; }', "import { Get } from './own';"),
    },
  ],
  invalid: [
    {
      name: 'two statements',
      code: controller('@Get() list() { const a = 1; return a; }'),
      errors: errors('oneStatement'),
    },
    { name: 'no statement', code: controller('@Get() list() {}'), errors: errors('oneStatement') },
    {
      name: 'try',
      code: controller('@Get() list() { try { return this.a(); } catch { return null; } }'),
      errors: errors('plainStatement', 'noTry'),
    },
    {
      name: 'if',
      code: controller('@Get() list() { if (this.a) { this.b(); } }'),
      errors: errors('plainStatement'),
    },
    {
      name: 'statements hidden in a callback',
      code: controller('@Get() list() { return this.run(() => { this.a(); return this.b(); }); }'),
      errors: errors('noBlock'),
    },
    {
      name: 'statements hidden in a function',
      code: controller('@Get() list() { return this.run(function () { return 1; }); }'),
      errors: errors('noBlock'),
    },
    {
      name: 'an HttpException',
      code: controller('@Get() list() { return this.rows() ?? Promise.reject(new NotFoundException()); }'),
      errors: errors('noHttpException'),
    },
    {
      name: 'an aliased verb',
      code: controller(
        '@Read() list() { const a = 1; return a; }',
        "import { Get as Read } from '@nestjs/common';",
      ),
      errors: errors('oneStatement'),
    },
    {
      name: 'a verb of the namespace',
      code: controller(
        '@nest.Post() add() { const a = 1; return a; }',
        "import * as nest from '@nestjs/common';",
      ),
      errors: errors('oneStatement'),
    },
  ],
});
