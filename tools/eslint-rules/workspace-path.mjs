import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds eslint.config.mjs. */
export const workspaceRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * A file's path from the workspace root, with forward slashes. Folders above the root are left out, so that
 * a checkout below, say, `/home/shared` is judged by its own names only.
 * @param {string} filename
 */
export const workspacePath = (filename) => relative(workspaceRoot, filename).split(sep).join('/');
