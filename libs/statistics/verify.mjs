// Usage: node libs/statistics/verify.mjs [scale, default 1] [section ...]   (after the build)
import { verify } from './dist/verify/main.js';

const [scale = '1', ...sections] = process.argv.slice(2);
process.exitCode = verify(Number(scale), sections, (line) => console.log(line)) > 0 ? 1 : 0;
