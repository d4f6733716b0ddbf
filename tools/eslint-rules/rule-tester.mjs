import { after, describe, it } from 'node:test';
import { join } from 'node:path';
import * as parser from '@typescript-eslint/parser';
import { RuleTester } from 'eslint';
import { workspaceRoot } from './workspace-path.mjs';

Object.assign(RuleTester, { afterAll: after, describe, it, itOnly: it.only });

/** ESLint's tester, run by node:test, reading TypeScript with decorators. */
export const ruleTester = new RuleTester({
  languageOptions: { parser, parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
});

/** A file of the workspace that need not exist. @param {string} path */
export const inWorkspace = (path) => join(workspaceRoot, path);
