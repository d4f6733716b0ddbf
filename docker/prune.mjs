// Takes out of /app what the application named by the argument never reads at run time. Run by the Dockerfile.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [app] = process.argv.slice(2);
if (!app || !existsSync(join('apps', app, 'bundle/main.js'))) {
  console.error(`APP must name an application with a bundle/main.js, not ${app ?? 'nothing'}.`);
  process.exit(1);
}

/** The workspace's own libs that the application reaches, itself first. */
function reachable(folder, found = new Set()) {
  found.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const lib = join('libs', name.replace('@outcomes/', ''));
    if (name.startsWith('@outcomes/') && !found.has(lib)) reachable(lib, found);
  }
  return found;
}

const kept = reachable(join('apps', app));
for (const parent of ['apps', 'libs']) {
  for (const name of readdirSync(parent)) {
    if (!kept.has(join(parent, name))) rmSync(join(parent, name), { recursive: true });
  }
}
// Links to workspaces that are gone would only confuse.
for (const name of readdirSync('node_modules/@outcomes')) {
  const link = join('node_modules/@outcomes', name);
  try {
    realpathSync(link);
  } catch {
    rmSync(link);
  }
}

const neverRead = /(\.d\.[cm]?ts|\.map|\.tsbuildinfo|\.md|\.markdown|\.[cm]?ts)$/i;
const licence = /^(licen[cs]e|copying|notice)/i;
const workspaceOnly = new Set(['src', 'test', 'fixtures', 'out-tsc']);

/** @param {boolean} isOwn whether the folder is the project's own: there, sources and tests go as well */
function clean(folder, isOwn) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (isOwn && workspaceOnly.has(entry.name)) rmSync(path, { recursive: true });
      else clean(path, false);
    } else if (entry.isFile() && neverRead.test(entry.name) && !licence.test(entry.name)) {
      rmSync(path);
    }
  }
}
for (const folder of kept) clean(folder, true);
clean('node_modules', false);
rmSync('package-lock.json');
