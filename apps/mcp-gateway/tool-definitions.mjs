// Writes what tools/list says of the tools into tool-definitions.json, and how registries list the server into
// server.json, so that a change of either is seen in a diff.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import entry from './dist/identity/registry-entry.document.js';
import tools from './dist/tools/tools.catalogue.js';

/** @param {string} file @param {object} content */
const write = (file, content) =>
  writeFileSync(join(import.meta.dirname, file), `${JSON.stringify(content, null, 2)}\n`);

write('tool-definitions.json', { tools: tools.TOOLS.map(({ definition }) => definition) });
write('server.json', entry.registryEntry());
