// @ts-check
// Preloaded into a service: it takes whatever it is connected to for one Postgres, and not for Citus.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';

const load = createRequire(join(root, 'package.json'));
const dialect = load(join(root, 'libs/persistence/dist/database/citus-dialect.js'));
Object.defineProperty(dialect, 'inCitus', { value: (/** @type {unknown} */ query) => query });
