// Usage: node libs/statistics/verify.mjs [scale, default 1] [section ...]   (after the build)
import { verify } from './dist/verify/main.js';
import { ReplayPool } from './verify-pool.mjs';

const [scale = '1', ...sections] = process.argv.slice(2);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const pool = new ReplayPool((line) => console.error(line));
try {
  const replay = (kind, range) => pool.replay(kind, range);
  const tools = { print: (line) => console.log(line), cpu, replay };
  process.exitCode = (await verify(Number(scale), sections, tools)) > 0 ? 1 : 0;
} finally {
  await pool.stop();
}
