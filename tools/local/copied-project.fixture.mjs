// @ts-check
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './processes.mjs';
import { findPostgres } from './postgres.mjs';
import { paths, root } from './settings.mjs';

/**
 * Copies these tools with what they need of node_modules into a folder, where everybody who may enter the folder can
 * use them: a clone in the home of root lets nobody else in.
 * @param {string} folder
 */
export async function copyProject(folder) {
  // The links in it are made where missing: who runs the copy may not be able to write there.
  const postgres = dirname(findPostgres());
  const packages = withDependencies(['pg', 'ioredis', '@typescript/native']).map(
    (name) => `node_modules/${name}`,
  );
  const parts = ['tools/local', ...packages, 'node_modules/.package-lock.json', postgres, paths.projectNode];
  for (const part of parts.map((path) => path.replace(`${root}/`, ''))) {
    const from = join(root, part);
    // The project's Node is optional: without it the tools go on with the system's.
    if (existsSync(from)) cpSync(from, join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  // Whatever mask the clone was made with.
  await run(['chmod', '-R', 'a+rX', join(folder, 'tools'), join(folder, 'node_modules')], {
    timeout: 30_000,
  });
}

/**
 * @param {string[]} names
 * @returns {string[]} With everything that they need at run time: of the optional what is installed, as the compiler's
 * program for this machine is.
 */
function withDependencies(names) {
  const found = new Set(names);
  for (const name of found) {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    );
    for (const dependency of Object.keys(dependencies ?? {})) found.add(dependency);
    for (const dependency of Object.keys(optionalDependencies ?? {}))
      if (existsSync(join(root, 'node_modules', dependency))) found.add(dependency);
  }
  return [...found];
}
