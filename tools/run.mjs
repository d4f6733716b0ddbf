// @ts-check
// `node tools/run.mjs FILE [ARGUMENT ...]`: runs a program of this folder, say verify-mcp.ts, on the Node version of the
// project, which takes TypeScript as it is. Any Node that npm finds can run this file; it installs first where needed.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './local/failure.mjs';
import { onProjectNode } from './local/install.mjs';
import { program } from './local/program.mjs';

await program(async () => {
  const [, , name = '', ...args] = process.argv;
  const file = join(import.meta.dirname, name);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Failure(`There is no file "${name}" in tools.\nUsage: node tools/run.mjs FILE [ARGUMENT ...]`);
  }
  await onProjectNode(import.meta.filename, [name, ...args], async () => {
    if (!process.features.typescript) {
      throw new Failure(`Node ${process.version} does not take TypeScript: npm ci installs one that does.`);
    }
    // As if it had been started itself.
    process.argv.splice(1, 2, file);
    await import(pathToFileURL(file).href);
  });
});
