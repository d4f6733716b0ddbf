// Makes src/drift/drift-thresholds.json. Usage: node libs/statistics/calibrate.mjs [runs, default 1500]   (after the build)
import { writeFileSync } from 'node:fs';
import { calibrateDrift } from './dist/verify/calibrate-drift.js';

const table = calibrateDrift(Number(process.argv[2] ?? 1500), (line) => console.log(line));
writeFileSync(
  new URL('src/drift/drift-thresholds.json', import.meta.url),
  `${JSON.stringify(table, null, 2)}\n`,
);
