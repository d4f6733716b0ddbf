/**
 * Waits for work on one connection that goes on side by side, for all of it even where some fails: a statement that is
 * sent later would land behind the rollback, in somebody else's transaction.
 * @throws what the first that failed did, in the given order
 */
export async function together<const Work extends readonly unknown[]>(
  ...work: Work
): Promise<{ -readonly [Place in keyof Work]: Awaited<Work[Place]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
