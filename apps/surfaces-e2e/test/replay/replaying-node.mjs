// Makes frozen decisions again with the code of the services, on whatever Node runs this: texts in, results out.
// With `moved`, every function in which engines may differ gives a number that differs in its last bit.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

/** Those of which ECMAScript leaves the last bits open. The square root is the processor's, and correctly rounded. */
const OPEN = [
  'acos',
  'acosh',
  'asin',
  'asinh',
  'atan',
  'atan2',
  'atanh',
  'cbrt',
  'cos',
  'cosh',
  'exp',
  'expm1',
].concat(['hypot', 'log', 'log10', 'log1p', 'log2', 'pow', 'sin', 'sinh', 'tan', 'tanh']);

const bits = new BigInt64Array(1);
const number = new Float64Array(bits.buffer);
function moved(value) {
  if (!Number.isFinite(value) || value === 0) return value;
  number[0] = value;
  bits[0] += 1n;
  return number[0];
}
if (process.argv[2] === 'moved') {
  for (const name of OPEN) {
    const own = Math[name];
    Math[name] = (...given) => moved(own(...given));
  }
}

// Afterwards, so that nothing has kept the functions as they were.
const { ENGINE_VERSION, replayDecision } = createRequire(import.meta.url)('@outcomes/statistics/replay');
const { models, decisions } = JSON.parse(await text(process.stdin));
const results = decisions.map(({ model, inputs, result }) =>
  replayDecision({ model: models[model], inputs, result }),
);
process.stdout.write(JSON.stringify({ node: process.version, engine: ENGINE_VERSION, results }));
