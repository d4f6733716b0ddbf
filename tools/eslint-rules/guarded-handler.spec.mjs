import rule from './guarded-handler.mjs';
import { ruleTester } from './rule-tester.mjs';

const imports = `
import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { Guarded, Public, RequirePermission } from '@outcomes/auth';
`;
const errors = [{ messageId: 'unguarded' }];

ruleTester.run('guarded-handler', rule, {
  valid: [
    `${imports} @Controller() class A { @Get() @RequirePermission('read') list() {} }`,
    `${imports} @Controller() class A { @Get() @Guarded('read') list() {} }`,
    `${imports} @Controller() class A { @Get() @Public() health() {} }`,
    `${imports} @Controller() class A { @Get() @UseGuards(KeyGuard) list() {} }`,
    `${imports} @Controller() @UseGuards(KeyGuard) class A { @Get() list() {} @Post() add() {} }`,
    `${imports} @Controller() @Public() export class A { @Get() list() {} }`,
    `${imports} @Controller() class A { rows() {} }`,
    `const answer = async (e) => { await admission.pass(e, rule); e.send(200, ''); };
     export const route = { method: 'GET', path: '/a', takes, answer };`,
    `export const noRoute = { method: 'GET', path: '/a' };`,
  ],
  invalid: [
    { code: `${imports} @Controller() class A { @Get() list() {} }`, errors },
    { code: `${imports} @Controller() class A { @Get() @Public() one() {} @Post() two() {} }`, errors },
    {
      name: 'a route of the fast path without admission',
      code: `const answer = async (e) => e.send(200, ''); export const r = { method: 'GET', path: '/a', takes, answer };`,
      errors: [{ messageId: 'unguardedRoute' }],
    },
    {
      name: 'an admission that nobody waits for',
      code: `const answer = async (e) => { admission.pass(e, rule); }; export const r = { method: 'GET', path: '/a', takes, answer };`,
      errors: [{ messageId: 'unguardedRoute' }],
    },
    {
      name: 'one admission for two routes',
      code: `const a = { method, path, takes, answer: async (e) => { await admission.pass(e, rule); } };
        const b = { method, path, takes, answer: async (e) => e.send(200, '') };`,
      errors: [{ messageId: 'unguardedRoute' }],
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
