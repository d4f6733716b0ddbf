#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const program = join(__dirname, '..', 'bundle', 'main.js');
if (!existsSync(program)) {
  process.stderr.write('outcomes: the program is not built yet. Run "npm start" or "npm run build" first.\n');
  process.exit(1);
}
// Beside what npm start keeps there of the services; elsewhere, as in an image, nothing is kept. Node 20 has no such cache.
const kept = join(__dirname, '../../../.local/compile-cache');
if (existsSync(kept)) enableCompileCache?.(kept);
require(program);
