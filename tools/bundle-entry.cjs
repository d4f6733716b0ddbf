// @ts-check
'use strict';
// apps/<app>/bundle/main.js: runs program.js, which lies beside it. Where Node keeps compiled code (NODE_COMPILE_CACHE), so does
// this, with the functions that ran until the program had started. Node keeps what V8 compiles as it loads a file, and V8 leaves
// most functions to their first call.
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const program = join(__dirname, 'program.js');
/** Node gives each version and each choice of V8's options a folder of its own. */
const folder = nodeModule.getCompileCacheDir?.();
/** Each command runs functions of its own. */
const command = process.argv[2] ?? '';

if (folder === undefined) require(program);
else runWith(join(folder, `${crc32(`${program} ${command}`).toString(16)}.program`));

/** @param {string} file - what V8 made of the program, followed by four bytes that say of which text */
function runWith(file) {
  const text = readFileSync(program);
  const text32 = crc32(text);
  const kept = read(file);
  const isOfText = kept !== undefined && kept.length > 4 && kept.readUInt32LE(kept.length - 4) === text32;
  // Bundles are in ASCII. As one of their modules would be, but for import(), which bundles do without.
  const script = new Script(nodeModule.wrap(text.toString('latin1')), {
    filename: program,
    ...(isOfText && { cachedData: kept.subarray(0, -4) }),
  });
  if (!isOfText || script.cachedDataRejected) keepOnceStarted(script, file, text32);
  script.runInThisContext()(exports, require, module, program, __dirname);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * @param {Script} script
 * @param {string} file
 * @param {number} text32
 */
function keepOnceStarted(script, file, text32) {
  const options = cachedDataVersionTag();
  const keep = (/** @type {number} */ code) => {
    process.off('exit', keep).off('started', keep);
    // Of what fails, such as a command that does not exist, nothing is kept.
    if (code !== 0) return;
    // V8 takes nothing back that was made with other options than those it runs with.
    if (cachedDataVersionTag() !== options) return;
    const unfinished = `${file}.${process.pid}`;
    const of = Buffer.alloc(4);
    of.writeUInt32LE(text32);
    try {
      writeFileSync(unfinished, Buffer.concat([script.createCachedData(), of]));
      renameSync(unfinished, file);
    } catch {
      // A program runs as well without.
      rmSync(unfinished, { force: true });
    }
  };
  // A service says when it has started, since it changes V8's options then; a command has ended.
  process.once('started', keep).once('exit', keep);
}
