import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, startCommand, waitUntil } from '@outcomes/testing';

describe('outcomes backup', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('leaves no part of a file behind at %s', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'outcomes-interrupted-'));
    const database = await createTestDatabase();
    try {
      // Nobody reads from it, so that whoever opens it to write waits.
      const partial = join(folder, 'backup.gz.partial');
      expect(spawnSync('mkfifo', [partial]).status).toBe(0);
      const backup = startCommand(['backup', join(folder, 'backup.gz')], {
        environment: { BACKUP_DATABASE_URL: database.ownerUrl },
      });
      await waitUntil('the backup to read', async () => {
        const rows = await database.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'outcomes-backup' AND query LIKE 'COPY%'
             AND datname = current_database()`,
        );
        return rows.length > 0;
      });
      backup.child.kill(signal);
      expect(await backup.ended).toMatchObject({
        ...{ code: null, stdout: '' },
        stderr: expect.stringContaining('outcomes: interrupted: ') as string,
      });
      expect(existsSync(partial)).toBe(false);
    } finally {
      await database.drop();
      rmSync(folder, { recursive: true });
    }
  });
});
