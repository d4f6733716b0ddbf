import { defineConfig } from 'vite';

export default defineConfig({
  // The libraries' sources, so that only what the page uses of them is in it.
  resolve: { conditions: ['@outcomes/source', 'module', 'browser', 'production'] },
  worker: { format: 'es' },
  build: {
    // Where the application looks for it, and its image with it.
    outDir: '../console/page',
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
