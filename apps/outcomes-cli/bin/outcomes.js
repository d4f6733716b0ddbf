#!/usr/bin/env node
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, '..', 'bundle', 'main.js');
if (!existsSync(program)) {
  process.stderr.write('outcomes: the program is not built yet. Run "npm start" or "npm run build" first.\n');
  process.exit(1);
}
require(program);
