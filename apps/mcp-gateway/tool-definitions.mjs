// Writes what tools/list says of the tools into tool-definitions.json, so that a change of it is seen in a diff.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tools from './dist/tools/index.js';

const definitions = tools.TOOLS.map(({ definition }) => definition);
writeFileSync(
  join(import.meta.dirname, 'tool-definitions.json'),
  `${JSON.stringify({ tools: definitions }, null, 2)}\n`,
);
