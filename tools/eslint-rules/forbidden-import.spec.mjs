import plugin from './index.mjs';
import { ruleTester } from './rule-tester.mjs';

/** @param {string} name */
const ruleCalled = (name) => /** @type {import('eslint').Rule.RuleModule} */ (plugin.rules?.[name]);
const errors = [{ messageId: 'forbidden' }];
/** @param {string} code */
const forbidden = (code) => ({ code, errors });

ruleTester.run('minting-import', ruleCalled('minting-import'), {
  valid: [
    "import { TenantScope } from '@outcomes/tenancy';",
    "import { mint } from '@outcomes/tenancy/minted';",
  ],
  invalid: [
    "import { mintTenantScope } from '@outcomes/tenancy/mint';",
    "import type { Mint } from '@outcomes/tenancy/mint';",
    "export { mintTenantScope } from '@outcomes/tenancy/mint';",
    "export * from '@outcomes/tenancy/mint';",
    "const mint = import('@outcomes/tenancy/mint');",
    "const mint = require('@outcomes/tenancy/mint');",
    "import mint = require('@outcomes/tenancy/mint');",
    "type Mint = import('@outcomes/tenancy/mint').Mint;",
  ].map(forbidden),
});

ruleTester.run('system-import', ruleCalled('system-import'), {
  valid: [
    "import { TenantDatabase } from '@outcomes/tenancy';",
    "import { mintTenantScope } from '@outcomes/tenancy/mint';",
  ],
  invalid: [
    "import { mintSystemScope } from '@outcomes/tenancy/system';",
    "import type { SystemScope } from '@outcomes/tenancy/system';",
    "type Scope = import('@outcomes/tenancy/system').SystemScope;",
  ].map(forbidden),
});

ruleTester.run('testing-import', ruleCalled('testing-import'), {
  valid: ["import { betaInterval } from '@outcomes/statistics';", "import { Test } from '@nestjs/testing';"],
  invalid: [
    "import { database } from '@outcomes/testing';",
    "import { synthetic } from '@outcomes/statistics/testing';",
  ].map(forbidden),
});

ruleTester.run('builtin-import', ruleCalled('builtin-import'), {
  valid: ["import { Matrix } from 'ml-matrix';", "import { beta } from './beta';"],
  invalid: [
    "import { readFileSync } from 'node:fs';",
    "import { readFile } from 'fs/promises';",
    "import crypto from 'crypto';",
  ].map(forbidden),
});
