// Usage: node libs/statistics/verify.mjs [scale, default 1] [section ...]   (after the build)
import { verify } from './dist/verify/main.js';

const [scale = '1', ...sections] = process.argv.slice(2);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
process.exitCode = verify(Number(scale), sections, (line) => console.log(line), cpu) > 0 ? 1 : 0;
