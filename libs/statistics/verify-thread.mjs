// A thread of verify-pool.mjs.
import { parentPort } from 'node:worker_threads';
import { replayCompanies } from './dist/verify/evidence-simulation.js';

parentPort?.on('message', ({ kind, range }) => parentPort?.postMessage(replayCompanies(kind, range)));
