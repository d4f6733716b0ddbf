// `node tools/run.mjs bench/keep-history.ts [MILLIONS ...]`: plants the histories that `BENCH_ANALYSIS_KEPT=1 npm run bench --
// analysis` works on copies of, below .local/bench. It is no measurement, and may run beside other work.
import { program } from '../local/program.mjs';
import { ensureLocalDirectory, requireFreeSpace } from '../local/settings.mjs';
import { keepHistory } from './planted-company.ts';

await program(async () => {
  const [, , ...millions] = process.argv;
  ensureLocalDirectory();
  await requireFreeSpace(20_000);
  for (const size of millions.length > 0 ? millions : ['1', '5']) await keepHistory(Number(size));
});
