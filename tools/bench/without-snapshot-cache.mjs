// @ts-check
// Preloaded into the read API: no document is remembered, so that every request reads Postgres.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';

const { SnapshotCache } = createRequire(join(root, 'apps/read-api/package.json'))('@outcomes/read-model');

if (SnapshotCache) SnapshotCache.prototype.held = () => undefined;
