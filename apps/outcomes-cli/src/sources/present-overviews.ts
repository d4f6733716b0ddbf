import type { SourceOverview } from '@outcomes/ingestion';
import { pico, table } from '../output/terminal';

/** Sources as a table, and below it what has to be done about some of them. */
export function presentOverviews(sources: readonly SourceOverview[]): string {
  if (sources.length === 0) return 'This company has no sources. Create one with "outcomes sources create".';
  const overview = table(
    ['source', 'tool', 'state', 'created', 'last delivery', 'records', 'held', 'waiting'],
    sources.map((one) => [
      ...[one.source, one.tool, one.state, one.created_at, one.last_delivery_at ?? 'never'],
      ...[recordsIn(one.types), recordsIn(one.held), one.waiting.toLocaleString('en')],
    ]),
  );
  const hints = sources.flatMap(({ source, no_sent_events: hint }) =>
    hint ? [`${pico.yellow(source)}  ${hint.message}`] : [],
  );
  return [overview, ...hints].join('\n');
}

const recordsIn = (counts: readonly { readonly records: number }[]): string =>
  counts.reduce((sum, { records }) => sum + records, 0).toLocaleString('en');
