import { waitUntil } from '@outcomes/testing';
import type { WorkerInstallation } from './worker-installation';

const TIMES = ['counted_at', 'unanalysed_since', 'asked_at', 'begun_at', 'next_at'];

/** As if so much time had gone by since all that is planned for the company: the clock is that of the database. */
export async function letTimePass(
  { database }: WorkerInstallation,
  companyId: string,
  seconds: number,
): Promise<void> {
  await database.query(
    `UPDATE analysis_plans SET ${TIMES.map((time) => `${time} = ${time} - $2 * interval '1 second'`).join(', ')}
     WHERE company_id = $1`,
    [companyId, seconds],
  );
}

/** Waits until so many messages are counted, and lets the pause go by that an analysis waits for. */
export async function settle(
  installation: WorkerInstallation,
  companyId: string,
  messages: number,
): Promise<void> {
  await waitUntil('the counts', async () => (await installation.touches(companyId)) === messages, 20_000);
  await letTimePass(installation, companyId, 5);
}

/** Whether nothing is left to analyse: what was planned is settled with the run itself. */
export async function isAnalysed({ database }: WorkerInstallation, companyId: string): Promise<boolean> {
  const plans = await database.query(
    'SELECT FROM analysis_plans WHERE company_id = $1 AND counted_at IS NOT NULL AND unanalysed_since IS NULL',
    [companyId],
  );
  return plans.length > 0;
}
