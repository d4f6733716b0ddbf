// @ts-check
// The classes of libs/ingestion in a process of their own: stores events as the ingest API does, and works them in as
// the analysis worker does. Takes a command per line on its standard input and answers each with a line that begins with
// "answer": other lines are the log's.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { root } from '../local/settings.mjs';
import { countedEvents } from './counted-events.mjs';

const require = createRequire(join(root, 'libs/ingestion/package.json'));
require('reflect-metadata');
/** @type {any} */
const { NestFactory } = require('@nestjs/core');
/** @type {any} */
const { PersistenceModule } = require('@outcomes/persistence');
/** @type {any} */
const { createLogger, Management, PlatformModule, serviceConfigSchema } = require('@outcomes/platform');
/** @type {any} */
const { mintTenantScope } = require('@outcomes/tenancy/mint');
/** @type {any} */
const { BatchProcessing, IngestionModule, IngestionService } = require('@outcomes/ingestion');
const repository = join(root, 'libs/ingestion/dist/processing/ingest-batch.repository.js');
const { IngestBatchRepository } = await import(pathToFileURL(repository).href);
const heapGrowth = join(root, 'libs/platform/dist/runtime/heap-growth.js');
const { letHeapGrowByTwoThirds } = await import(pathToFileURL(heapGrowth).href);

const [, , name = '', ...flags] = process.argv;
const batchSize = 500;

/** What the benchmark has to notice: a transaction of its own for every batch. */
if (flags.includes('--one-batch-a-transaction')) {
  const { takeOldest } = IngestBatchRepository.prototype;
  IngestBatchRepository.prototype.takeOldest = async function (/** @type {any[]} */ ...given) {
    return (await takeOldest.apply(this, given)).slice(0, 1);
  };
}

// As startWorker does.
letHeapGrowByTwoThirds();
class BenchModule {}
const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
  ...process.env,
  LOG_LEVEL: 'warn',
  DATABASE_STATEMENT_TIMEOUT_MS: '30000',
});
const app = await NestFactory.createApplicationContext(
  {
    module: BenchModule,
    imports: [
      PlatformModule.register({
        ...{ clock: { now: () => new Date() }, config },
        ...{ logger: createLogger(name, config.LOG_LEVEL), management: new Management(name) },
      }),
      PersistenceModule.register(name),
      IngestionModule,
    ],
  },
  { logger: false },
);

/** @type {Record<string, (scope: any, command: any) => Promise<unknown>>} */
const commands = {
  async store(scope, { count, seed }) {
    const events = countedEvents({ count, seed });
    const ingestion = app.get(IngestionService);
    for (let from = 0; from < count; from += batchSize) {
      const batch = events.slice(from, from + batchSize);
      const { accepted, errors } = await ingestion.ingestJson(
        scope,
        Buffer.from(JSON.stringify({ events: batch })),
      );
      if (accepted !== batch.length) throw new RangeError(`refused: ${JSON.stringify(errors[0])}`);
    }
  },
  count: (scope) => app.get(BatchProcessing).processPending(scope),
};

console.log('answer');
for await (const line of createInterface({ input: process.stdin })) {
  const { run, companyId, ...command } = JSON.parse(line);
  const answer = await commands[run]?.(mintTenantScope(companyId), command);
  console.log(`answer ${JSON.stringify(answer ?? {})}`);
}
await app.close();
process.exit();
