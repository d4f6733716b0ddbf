// `npm run verify:soak`: half an hour at half of what the installation can do: nothing leaks, nothing fails, nothing lags.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from './local/failure.mjs';
import { program } from './local/program.mjs';
import { localDirectory } from './local/settings.mjs';
import { soak } from './soak/soak.ts';

const help = `Usage: npm run verify:soak [-- --minutes N] [-- --mutations] [-- --report PATH]

Starts Postgres, Redis and all five services, measures what they can do, sends half of it for a while, with a night every
few minutes, and prints a line a minute. Then one line for each promise: answers, counts, restarts and errors, memory,
lag, stores. At the end harm is done to the same installation, and each promise has to be seen broken. On a machine that
does nothing else. What a run is too short for is NOT RUN, a failure; and what has not warmed up grows, so that fewer
than ten minutes say little about memory.

  --minutes N    how long, 30 unless told
  --mutations    the harm alone, after some minutes of load that are not judged
  --report PATH  where to write PATH.json and PATH.md, .local/soak unless told`;

await program(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      mutations: { type: 'boolean', default: false },
      report: { type: 'string', default: join(localDirectory, 'soak') },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const minutes = Number(values.minutes);
  if (!Number.isFinite(minutes) || minutes < 1) throw new Failure('--minutes takes a number from 1 on.');
  await soak({ minutes, mutationsOnly: values.mutations, report: resolve(values.report) });
});
