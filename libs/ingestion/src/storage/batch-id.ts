import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
const IDS_AT_ONCE = 256;
const drawn = new Uint8Array(RANDOM_BYTES * IDS_AT_ONCE);
let used = drawn.length;

/**
 * A fresh id of a batch, a UUID of version 7: ids of one time stand side by side in their index. The random bytes are
 * drawn for many ids at once, because drawing them costs the same for one id as for all.
 */
export function newBatchId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.subarray(used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return v7({ random });
}
