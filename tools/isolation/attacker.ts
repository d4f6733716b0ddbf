// One attack until the process is told to stop: node attacker.ts NAME URL KEY...
import { setMaxListeners } from 'node:events';
import { attacks } from './attacks.ts';

const [name = '', url = '', ...keys] = process.argv.slice(2);
const stop = new AbortController();
setMaxListeners(0, stop.signal);
process.once('SIGTERM', () => stop.abort());
await attacks[name]?.({ url, keys, signal: stop.signal });
process.exit(0);
