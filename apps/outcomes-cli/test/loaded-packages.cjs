'use strict';
// Required before a program: names the packages that it has loaded, by require or import, as its last line on stderr.
const { writeSync } = require('node:fs');
const { registerHooks } = require('node:module');

const packages = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (name) packages.add(name);
    return nextLoad(url, context);
  },
});
process.on('exit', () => writeSync(2, `\n${[...packages].join(' ')}`));
