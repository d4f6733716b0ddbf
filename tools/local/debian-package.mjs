// @ts-check
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { run } from './processes.mjs';

const minutes = 60_000;

/**
 * Fetches a package of Debian or Ubuntu, with all that it needs and this system lacks, and unpacks them: what is left to
 * a user who may not install. apt asks the sources of the system and checks their signatures.
 * @param {string} name
 * @param {string} folder Made here, whole or not at all; its parent is there.
 * @param {AbortSignal} [signal]
 */
export async function unpackPackage(name, folder, signal) {
  const work = mkdtempSync(join(dirname(folder), 'package-'));
  const [lists, archives, tree] = [join(work, 'lists'), join(work, 'archives'), join(work, 'tree')];
  for (const path of [join(lists, 'partial'), join(archives, 'partial'), tree])
    mkdirSync(path, { recursive: true });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Without a network apt only warns that it has no lists, and fails later of what they would have named.
  let warnings = '';
  /** @param {string[]} command */
  const must = async (...command) => {
    const { code, output } = await run(command, { env, signal, timeout: 5 * minutes });
    signal?.throwIfAborted();
    if (code !== 0) throw new Failure(`${command[0]} failed: ${`${warnings}${output}`.trim()}`);
    return output;
  };
  // Lists and archives of its own, which need no lock. What is installed it still learns from dpkg.
  const own = [`Dir::State::lists=${lists}`, `Dir::Cache=${work}`, `Dir::Cache::archives=${archives}`];
  const settings = [...own, 'Debug::NoLocking=1', 'Acquire::http::Timeout=30', 'Acquire::Retries=1'];
  const apt = ['apt-get', '-qq', ...settings.flatMap((setting) => ['-o', setting])];
  try {
    warnings = await must(...apt, 'update');
    await must(...apt, 'install', '-y', '--download-only', '--no-install-recommends', name);
    for (const archive of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      await must('dpkg-deb', '-x', join(archives, archive), tree);
    moveUnlessThere(tree, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Another process may have been quicker: what it unpacked is as good.
 * @param {string} from
 * @param {string} to
 */
function moveUnlessThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? ''))
      throw error;
  }
}

/**
 * @param {string} folder Into which packages were unpacked.
 * @returns {string[]} Where their libraries are.
 */
export function librariesIn(folder) {
  const libraries = join(folder, 'usr/lib');
  if (!existsSync(libraries)) return [];
  return readdirSync(libraries)
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => join(libraries, name));
}
