import rule from './guarded-handler.mjs';
import { ruleTester } from './rule-tester.mjs';

const imports = `
import { Body, Controller, Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import { Guarded, Public, RequirePermission } from '@outcomes/auth';
`;
const errors = [{ messageId: 'unguarded' }];
const options = [{ byPipeline: true }];

ruleTester.run('guarded-handler', rule, {
  valid: [
    `${imports} @Controller() class A { @Get() @RequirePermission('read') list() {} }`,
    `${imports} @Controller() class A { @Get() @Guarded('read') list() {} }`,
    `${imports} @Controller() class A { @Get() @Public() health() {} }`,
    `${imports} @Controller() class A { @Get() @UseGuards(KeyGuard) list() {} }`,
    `${imports} @Controller() @UseGuards(KeyGuard) class A { @Get() list() {} @Post() add() {} }`,
    `${imports} @Controller() @Public() export class A { @Get() list() {} }`,
    `${imports} @Controller() class A { rows() {} }`,
    `export const route = { method: 'GET', path: '/a', answer };`,
    { options, code: `${imports} @Controller() class A { @Post() @Guarded() add(@Param('id') id) {} }` },
    { options, code: `${imports} @Controller() @Public() class A { @Get() list() {} }` },
    `export const noRoute = { method: 'GET', path: '/a' };`,
  ],
  invalid: [
    { code: `${imports} @Controller() class A { @Get() list() {} }`, errors },
    { code: `${imports} @Controller() class A { @Get() @Public() one() {} @Post() two() {} }`, errors },
    {
      name: 'a guard beside the pipeline',
      options,
      code: `${imports} @Controller() @UseGuards(KeyGuard) class A { @Get() list() {} }`,
      errors,
    },
    {
      name: 'a body that nobody bounds',
      options,
      code: `${imports} @Controller() class A { @Post() @Guarded() add(@Body() body) {} }`,
      errors: [{ messageId: 'raw' }],
    },
    {
      name: 'a request as it came',
      options,
      code: `${imports} @Controller() class A { @Get() @Guarded() list(@Req() request) {} }`,
      errors: [{ messageId: 'raw' }],
    },
    {
      name: 'a route that no controller declares',
      options,
      code: `http.serve([{ method: 'GET', path: '/a', answer: async (e) => e.send(200, '') }]);`,
      errors: [{ messageId: 'undeclaredRoute' }],
    },
    {
      name: 'guards nothing',
      code: `${imports} @Controller() @UseGuards() class A { @Get() list() {} }`,
      errors,
    },
    {
      name: 'a look-alike that no import binds',
      code: `import { Get } from '@nestjs/common'; const Public = () => () => {}; class A { @Get() @Public() list() {} }`,
      errors,
    },
    {
      name: 'a look-alike from another package',
      code: `import { Get } from '@nestjs/common'; import { Public } from 'elsewhere'; class A { @Get() @Public() list() {} }`,
      errors,
    },
    {
      name: 'every handler is told',
      code: `${imports} class A { @Get() one() {} @Post() two() {} }`,
      errors: [...errors, ...errors],
    },
  ],
});
