import { randomUUID } from 'node:crypto';
import type { RedisAddress } from '@outcomes/platform';
import { Queue } from 'bullmq';
import { producerConnection } from './queue-connection';

/**
 * Takes one job through a queue that nobody works on, and leaves nothing behind.
 * @param prefix - of every Redis key
 * @throws Error as ioredis or BullMQ do, where Redis is away or refuses what queues need
 */
export async function probeQueue(address: RedisAddress, prefix: string): Promise<void> {
  const connection = producerConnection(address, () => undefined);
  const queue = new Queue(`doctor-${randomUUID()}`, { connection, prefix });
  queue.on('error', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('ready', resolve);
      connection.once('error', reject);
    });
    const { id } = await queue.add('probe', {}, { removeOnComplete: true });
    if (id === undefined || (await queue.getJob(id)) === undefined)
      throw new Error('a job that was added is not there');
    await queue.obliterate({ force: true });
  } finally {
    await queue.close();
    connection.disconnect();
  }
}
