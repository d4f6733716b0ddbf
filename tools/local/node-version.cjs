// @ts-check
'use strict';
// Loaded before any module, and written for any Node: to an older one the modules themselves are errors.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node 20.19 or newer is needed, and ${process.execPath} is ${process.version}: install a newer one, with npm, from nodejs.org.`,
  );
  process.exit(1);
}
