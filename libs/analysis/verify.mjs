// Usage: node libs/analysis/verify.mjs [scale, default 1] [section ...]   (after the build; sections memory, ledger)
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSentDays, verify } from './dist/verify/main.js';

const [scale = '1', ...sections] = process.argv.slice(2);
// The real e-mails are no part of the project. Where they are not there, it is said what was not run.
const folder =
  process.env['REFERENCE_DATA_FOLDER'] ?? resolve(import.meta.dirname, '../../../shared/data/use_fai');
const file = join(folder, 'events.csv.gz');
const real = existsSync(file) ? readSentDays(file) : undefined;
if (real === undefined) console.log(`NOT RUN: lines over real e-mails: ${file} is not there`);
process.exitCode = (await verify(Number(scale), sections, real, (line) => console.log(line))) > 0 ? 1 : 0;
