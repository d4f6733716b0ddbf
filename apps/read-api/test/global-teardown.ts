import type { Stopping } from './global-setup';

export default async function tearDown(): Promise<void> {
  await (globalThis as Stopping).stopReadApis?.();
}
