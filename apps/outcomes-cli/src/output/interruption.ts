const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Has something put in order before SIGINT or SIGTERM ends the process, as it would have.
 * @param putInOrder - must not wait
 * @returns what takes that back
 */
export function beforeInterruption(putInOrder: () => void): () => void {
  const interrupted = (signal: NodeJS.Signals) => {
    takeBack();
    putInOrder();
    process.kill(process.pid, signal);
  };
  const takeBack = () => SIGNALS.forEach((signal) => process.off(signal, interrupted));
  for (const signal of SIGNALS) process.on(signal, interrupted);
  return takeBack;
}
