import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig } from 'vite';

const page = join(import.meta.dirname, '../console/page');
const encoders = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Compresses once what every process that serves it would compress at every start, then notes that all is there. */
async function compressPage() {
  const files = await readdir(page, { recursive: true, withFileTypes: true });
  const written = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const compress = async (path) => {
    const plain = await readFile(path);
    for (const [ending, encode] of Object.entries(encoders))
      await writeFile(`${path}.${ending}`, await encode(plain));
  };
  await Promise.all(written.map(compress));
  await writeFile(join(page, 'complete'), '');
}

export default defineConfig({
  // The libraries' sources, so that only what the page uses of them is in it.
  resolve: { conditions: ['@outcomes/source', 'module', 'browser', 'production'] },
  worker: { format: 'es' },
  plugins: [{ name: 'compressed', writeBundle: compressPage }],
  build: {
    // Where the application looks for it, and its image with it.
    outDir: page,
    emptyOutDir: true,
    target: 'es2023',
    // The policy forbids what the polyfill does, and the browsers that it is for.
    modulePreload: { polyfill: false },
    // A file that became a data: address would be refused.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // 'use client' is for servers that render pages; here it means nothing.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
