import { isBuiltin } from 'node:module';
import fileNameRole from './file-name-role.mjs';
import { forbiddenImport } from './forbidden-import.mjs';
import guardedHandler from './guarded-handler.mjs';
import scopedRepository from './scoped-repository.mjs';
import sqlInRepository from './sql-in-repository.mjs';
import thinController from './thin-controller.mjs';

/** @type {import('eslint').ESLint.Plugin} */
export default {
  meta: { name: 'outcomes' },
  rules: {
    'file-name-role': fileNameRole,
    'thin-controller': thinController,
    'guarded-handler': guardedHandler,
    'scoped-repository': scopedRepository,
    'sql-in-repository': sqlInRepository,
    'minting-import': forbiddenImport({
      forbids: (path) => /^@outcomes\/tenancy\/mint(\/|$)/.test(path),
      description: 'A TenantScope is minted only where a tenant has been proved.',
    }),
    'system-import': forbiddenImport({
      forbids: (path) => /^@outcomes\/tenancy\/system(\/|$)/.test(path),
      description: 'A SystemScope is minted and used only in repositories.',
    }),
    'testing-import': forbiddenImport({
      forbids: (path) => /^@outcomes\/([a-z-]+\/)?testing(\/|$)/.test(path),
      description: 'Test support is for tests.',
    }),
    'builtin-import': forbiddenImport({
      forbids: isBuiltin,
      description: 'This lib does no I/O and runs in a browser too.',
    }),
  },
};
