// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What would make `npm ci` fail, or tie it to one registry, on somebody else's machine.
 * @param {{ packages: Record<string, any> }} lock The parsed package-lock.json.
 * @returns {string[]} One line for each fault.
 */
export function faultsOf({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) => [
    // npm leaves out, silently, what its registry lacks, and then refuses its own lock file.
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isCarried(packages, path, name))
      .map(
        (name) => `${path || 'package.json'} names the optional ${name}, which the lock file does not carry`,
      ),
    // With omit-lockfile-registry-resolved only workspaces have a place, and it is a folder.
    ...(entry.resolved && /:|^\//.test(entry.resolved)
      ? [`${path} is tied to an address: ${entry.resolved}`]
      : []),
  ]);
}

/** @param {Record<string, unknown>} packages @param {string} from @param {string} name */
function isCarried(packages, from, name) {
  for (let base = from; ;) {
    if (packages[`${base ? `${base}/` : ''}node_modules/${name}`]) return true;
    if (base === '') return false;
    const cut = base.lastIndexOf('/node_modules/');
    base = cut < 0 ? '' : base.slice(0, cut);
  }
}

if (process.argv[1] === import.meta.filename) {
  const file = process.argv[2] ?? join(import.meta.dirname, '../package-lock.json');
  const faults = faultsOf(JSON.parse(readFileSync(file, 'utf8')));
  for (const fault of faults) console.error(fault);
  console.log(`package-lock.json: ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
