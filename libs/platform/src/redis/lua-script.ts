import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from './create-redis';

/** A Redis script kept in a .lua file: sent by its hash, and in full only where Redis does not hold it yet. */
export class LuaScript {
  private readonly text: string;
  private readonly sha1: string;

  /** @param path - absolute path of the .lua file; read once, at start */
  constructor(path: string) {
    this.text = readFileSync(path, 'utf8');
    this.sha1 = createHash('sha1').update(this.text).digest('hex');
  }

  /** @returns what the script returns; typed by its caller, who knows the script's header */
  async run(
    redis: Redis,
    keys: readonly string[],
    parameters: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.sha1, keys.length, ...keys, ...parameters);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(this.text, keys.length, ...keys, ...parameters);
    }
  }
}
