import { ImportPace, type PaceOptions } from './import-pace';

/** Requests under way at once: enough to keep the service busy, few enough to be polite. */
const CONCURRENCY = 3;

export interface BatchSteps<Batch, Answer> extends PaceOptions {
  /** Events in a batch. */
  readonly sizeOf: (batch: Batch) => number;
  readonly send: (batch: Batch) => Promise<Answer>;
  /** Told of every batch that was taken, in the order of the file. */
  readonly settle: (batch: Batch, answer: Answer) => Promise<void>;
}

/**
 * Sends batches a few at a time, as fast as they are counted. They are settled in their order, so that what is settled
 * is always a prefix of the file.
 */
export async function sendBatches<Batch, Answer>(
  batches: AsyncIterable<Batch>,
  steps: BatchSteps<Batch, Answer>,
): Promise<void> {
  const pace = new ImportPace(steps);
  const underWay: { batch: Batch; answered: Promise<Answer> }[] = [];
  const settleOldest = async () => {
    const oldest = underWay.shift();
    if (oldest) await steps.settle(oldest.batch, await oldest.answered);
  };
  try {
    for await (const batch of batches) {
      await pace.wait(steps.sizeOf(batch));
      const answered = steps.send(batch);
      // A refusal is met when its turn comes; until then it is nobody's.
      answered.catch(() => undefined);
      underWay.push({ batch, answered });
      if (underWay.length >= CONCURRENCY) await settleOldest();
    }
    while (underWay.length > 0) await settleOldest();
  } finally {
    await Promise.allSettled(underWay.map(({ answered }) => answered));
  }
}
