// What it costs to make events of a row of a file.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import type { Report } from '../reliability/report.ts';
import { exportRow, mailsOf } from './mails.ts';

const require = createRequire(join(root, 'libs/ingestion/package.json'));
const ROWS = 20_000;
const ROUNDS = 5;
const limit = { most: 40 };
const unit = 'us';

export async function verifyMapping(report: Report) {
  const { FileHistory, mapRecord, noteRecord, profileOf } =
    require('@outcomes/source-profiles') as typeof import('@outcomes/source-profiles');
  const route = profileOf('smartlead')?.routes.find(({ name }: { name: string }) => name === 'statistics');
  if (!route) throw new Error('there is no route for statistics of Smartlead');
  const rows = mailsOf(ROWS).map(exportRow);
  /** @param each CPU that a broken mapping spends besides @returns microseconds of CPU a row */
  const measured = (each: () => void): number => {
    const rounds = Array.from({ length: ROUNDS }, () => {
      const context = { tool: 'smartlead', campaign: '111', history: new FileHistory() };
      let events = 0;
      const before = process.cpuUsage();
      rows.forEach((row, at) => noteRecord(route, row, context, at));
      rows.forEach((row, at) => {
        each();
        const mapped = mapRecord(route, row, context, at);
        if ('events' in mapped) events += mapped.events.length;
      });
      const { user, system } = process.cpuUsage(before);
      if (events < ROWS) throw new Error(`${events} events of ${ROWS} rows`);
      return (user + system) / ROWS;
    });
    // The first rounds also compile.
    return Math.min(...rounds);
  };
  const promise = 'mapping';
  report.check({ promise, what: 'CPU of a row, read twice', value: measured(() => {}), limit, unit });
  const slow = () => {
    const until = performance.now() + 0.045;
    while (performance.now() < until);
  };
  report.mutation({ promise, what: 'a row that takes 45 us more', value: measured(slow), limit, unit });
}
