/*
 * Engine 2.1.0 as it was, for the decisions that it made: never edited (`replay.spec.ts` holds its digest).
 * Made from the sources of that version with
 *   esbuild --bundle --format=cjs --platform=neutral --target=es2023 --main-fields=module,main
 * It computes with the exp, log and log1p of the platform, so that it gives the bytes of old on the platform of old.
 * Contains pure-rand 8.4.2, Copyright (c) 2018 Nicolas DUBIEN, under the MIT licence.
 */
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// What is kept of it
var e_exports = {};
__export(e_exports, {
  contactDecider: () => contactDecider,
  replayDecision: () => replayDecision
});
module.exports = __toCommonJS(e_exports);

// libs/statistics/src/numerics/stats-domain-error.ts
var StatsDomainError = class extends RangeError {
  constructor(code, message) {
    super(message);
    this.code = code;
    this.name = "StatsDomainError";
  }
  code;
};
function requireDomain(condition, code, message) {
  if (!condition) throw new StatsDomainError(code, message);
}
var isShape = (value) => value > 0 && value < Infinity;

// libs/statistics/src/arms/campaign-factor.ts
function campaignFactor(replies, expected, campaignVariance) {
  requireDomain(
    replies >= 0 && replies < Infinity && expected >= 0 && expected < Infinity,
    "count",
    "replies must be finite and >= 0"
  );
  requireDomain(
    campaignVariance >= 0 && campaignVariance < Infinity,
    "range",
    "a variance must be finite and >= 0"
  );
  return (campaignVariance * replies + 1) / (campaignVariance * expected + 1);
}
function armInCampaign(arm, record) {
  const { alpha, beta } = arm;
  requireDomain(isShape(alpha) && isShape(beta), "shape", "Beta shapes must be > 0");
  const { replies, expected, variance } = record;
  const factor = campaignFactor(replies, expected, variance);
  if (variance === 0) return { alpha, beta };
  const armMean = alpha / (alpha + beta);
  const mean = Math.min(factor * armMean, (1 + armMean) / 2);
  const spread = 1 / alpha + 1 / beta + variance / (variance * replies + 1);
  const size = 1 / (mean * (1 - mean) * spread);
  return { alpha: mean * size, beta: (1 - mean) * size };
}

// libs/statistics/src/numerics/log-gamma.ts
var AROUND_TWO = [
  0.42278433509846713,
  0.3224670334241132,
  -0.0673523010531981,
  0.020580808427784546,
  -0.007385551028673986,
  0.0028905103307415234,
  -0.001192753911703261,
  5096695247430425e-19,
  -22315475845357939e-20,
  9945751278180853e-20,
  -4492623673813314e-20,
  2050721277567069e-20,
  -9439488275268397e-21,
  4374866789907488e-21,
  -2039215753801366e-21,
  955141213040742e-21,
  -4492469198764566e-22,
  21207184805554665e-23,
  -10043224823968099e-23,
  47698101693639804e-24,
  -22711094608943164e-24,
  10838659214896955e-24,
  -5183475041970047e-24,
  24836745438024785e-25,
  -11921401405860912e-25,
  5731367241678862e-25
];
var HALF_LOG_TWO_PI = 0.9189385332046728;
var STIRLING_FROM = 10;
function stirlingRemainder(x) {
  const inverse = 1 / x;
  const t = inverse * inverse;
  return inverse * (1 / 12 + t * (-1 / 360 + t * (1 / 1260 + t * (-1 / 1680 + t * (1 / 1188 + t * (-691 / 360360 + t * (1 / 156)))))));
}
function aroundTwo(z) {
  let sum = 0;
  for (let k = AROUND_TWO.length - 1; k >= 0; k--) sum = sum * z + AROUND_TWO[k];
  return sum * z;
}
function logGammaUnchecked(x) {
  if (x >= STIRLING_FROM) return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingRemainder(x);
  if (x < 0.5) return aroundTwo(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return aroundTwo(x - 1) - Math.log1p(x - 1);
  if (x <= 2.5) return aroundTwo(x - 2);
  let product = 1;
  let shifted = x;
  while (shifted > 2.5) {
    shifted -= 1;
    product *= shifted;
  }
  return aroundTwo(shifted - 2) + Math.log(product);
}

// libs/statistics/src/numerics/log-beta.ts
var HALF_LOG_TWO_PI2 = 0.9189385332046728;
function logBetaUnchecked(a, b) {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < STIRLING_FROM) {
    return logGammaUnchecked(small) + logGammaUnchecked(large) - logGammaUnchecked(small + large);
  }
  const ratio = small / (small + large);
  if (small < STIRLING_FROM) {
    const remainder2 = stirlingRemainder(large) - stirlingRemainder(small + large);
    return logGammaUnchecked(small) + remainder2 + small - small * Math.log(small + large) + (large - 0.5) * Math.log1p(-ratio);
  }
  const remainder = stirlingRemainder(small) + stirlingRemainder(large) - stirlingRemainder(small + large);
  return -0.5 * Math.log(large) + HALF_LOG_TWO_PI2 + remainder + (small - 0.5) * Math.log(ratio) + large * Math.log1p(-ratio);
}

// libs/statistics/src/numerics/log1p-minus.ts
function log1pMinus(t) {
  if (t < -0.3 || t > 0.4) return Math.log1p(t) - t;
  const r = t / (2 + t);
  const r2 = r * r;
  let sum = 0;
  for (let k = 21; k >= 3; k -= 2) sum = sum * r2 + 1 / k;
  return r * (2 * r2 * sum - t);
}

// libs/statistics/src/numerics/incomplete-beta.ts
var MAX_TERMS = 2e5;
var TINY = 1e-300;
var INVERSE_TWO_PI = 0.15915494309189535;
function logBetaKernel(x, y, a, b) {
  if (a < STIRLING_FROM || b < STIRLING_FROM) {
    const logX = x < 0.5 ? Math.log(x) : Math.log1p(-y);
    const logY = y < 0.5 ? Math.log(y) : Math.log1p(-x);
    return a * logX + b * logY - logBetaUnchecked(a, b);
  }
  const total = a + b;
  const away = (x * b - y * a) / total;
  const tx = away * total / a;
  const ty = -away * total / b;
  const partX = tx < -0.3 ? Math.log(x * total / a) - tx : log1pMinus(tx);
  const partY = ty < -0.3 ? Math.log(y * total / b) - ty : log1pMinus(ty);
  const remainder = stirlingRemainder(a) + stirlingRemainder(b) - stirlingRemainder(total);
  return a * partX + b * partY + 0.5 * Math.log(a / total * b * INVERSE_TWO_PI) - remainder;
}
function fraction(x, a, b) {
  const sum = a + b;
  let c = 1;
  let d = 1 - sum * x / (a + 1);
  d = 1 / (Math.abs(d) < TINY ? TINY : d);
  let h = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const a2m = a + 2 * m;
    const even = m * (b - m) * x / ((a2m - 1) * a2m);
    d = 1 + even * d;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = 1 + even / c;
    if (Math.abs(c) < TINY) c = TINY;
    h *= d * c;
    const odd = -(a + m) * (sum + m) * x / (a2m * (a2m + 1));
    d = 1 + odd * d;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    c = 1 + odd / c;
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 2e-16) break;
  }
  return h;
}
function logLowerBeta(x, y, a, b) {
  const kernel = logBetaKernel(x, y, a, b);
  if (x < (a + 1) / (a + b + 2)) return kernel + Math.log(fraction(x, a, b) / a);
  return Math.log1p(-Math.min(1, Math.exp(kernel) * (fraction(y, b, a) / b)));
}
function lower(x, y, a, b) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const kernel = Math.exp(logBetaKernel(x, y, a, b));
  if (x < (a + 1) / (a + b + 2)) return kernel * (fraction(x, a, b) / a);
  return 1 - kernel * (fraction(y, b, a) / b);
}
function incompleteBeta(x, a, b) {
  requireDomain(isShape(a) && isShape(b), "shape", "incomplete beta needs finite shapes above zero");
  requireDomain(x >= 0 && x <= 1, "probability", "incomplete beta needs x in [0, 1]");
  return Math.min(1, Math.max(0, lower(x, 1 - x, a, b)));
}

// libs/statistics/src/numerics/normal.ts
var INVERSE_SQRT_TWO_PI = 0.3989422804014327;
var SERIES_UP_TO = 3;
function normalDensity(x) {
  return INVERSE_SQRT_TWO_PI * Math.exp(-0.5 * x * x);
}
function centralPart(x) {
  const x2 = x * x;
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= x2 / k;
    sum += term;
  }
  return sum * normalDensity(x);
}
function millsRatio(x) {
  let value = x;
  for (let k = Math.ceil(30 + 600 / (x * x)); k >= 1; k--) value = x + k / value;
  return 1 / value;
}
function normalCdf(x) {
  requireDomain(!Number.isNaN(x), "range", "normal cdf needs a number");
  if (x < -40) return 0;
  if (x > 40) return 1;
  if (Math.abs(x) <= SERIES_UP_TO) return 0.5 + centralPart(x);
  const tail = normalDensity(x) * millsRatio(Math.abs(x));
  return x < 0 ? tail : 1 - tail;
}
var CENTRAL_TOP = [
  -39.69683028665376,
  220.9460984245205,
  -275.9285104469687,
  138.357751867269,
  -30.66479806614716,
  2.506628277459239
];
var CENTRAL_BOTTOM = [
  -54.47609879822406,
  161.5858368580409,
  -155.6989798598866,
  66.80131188771972,
  -13.28068155288572,
  1
];
var TAIL_TOP = [
  -0.007784894002430293,
  -0.3223964580411365,
  -2.400758277161838,
  -2.549732539343734,
  4.374664141464968,
  2.938163982698783
];
var TAIL_BOTTOM = [
  0.007784695709041462,
  0.3224671290700398,
  2.445134137142996,
  3.754408661907416,
  1
];
function polynomial(coefficients, x) {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
function lowerQuantile(p) {
  if (p > 0.02425) {
    const q = p - 0.5;
    let x2 = q * polynomial(CENTRAL_TOP, q * q) / polynomial(CENTRAL_BOTTOM, q * q);
    for (let i = 0; i < 2; i++) {
      const error = (centralPart(x2) - q) / normalDensity(x2);
      x2 -= error / (1 + 0.5 * x2 * error);
    }
    return x2;
  }
  const r = Math.sqrt(-2 * Math.log(p));
  let x = polynomial(TAIL_TOP, r) / polynomial(TAIL_BOTTOM, r);
  for (let i = 0; i < 3; i++) {
    const mills = x < -SERIES_UP_TO ? millsRatio(-x) : normalCdf(x) / normalDensity(x);
    const logCdf = -0.5 * x * x + Math.log(INVERSE_SQRT_TWO_PI * mills);
    x -= (logCdf - Math.log(p)) * mills;
  }
  return x;
}
function normalQuantile(p) {
  requireDomain(p > 0 && p < 1, "mass", "normal quantile needs a probability in (0, 1)");
  return p <= 0.5 ? lowerQuantile(p) : -lowerQuantile(1 - p);
}

// libs/statistics/src/numerics/beta-quantile.ts
var MAX_STEPS = 200;
function guess(p, a, b) {
  if (a > 2 && b > 2) {
    const centre = Math.log((a - 0.4) / (b - 0.4));
    return centre + normalQuantile(p) * Math.sqrt(1 / a + 1 / b);
  }
  const logX = (Math.log(p) + Math.log(a) + logBetaUnchecked(a, b)) / a;
  return logX < -0.7 ? logX - Math.log1p(-Math.exp(logX)) : Math.log(a / b);
}
function lowerLogit(p, a, b) {
  const target = Math.log(p);
  let logit2 = guess(p, a, b);
  for (let i = 0; i < MAX_STEPS; i++) {
    if (logit2 < -700) return (target + Math.log(a) + logBetaUnchecked(a, b)) / a;
    const x = 1 / (1 + Math.exp(-logit2));
    const y = 1 / (1 + Math.exp(logit2));
    const logTail = logLowerBeta(x, y, a, b);
    const step = (logTail - target) / Math.exp(logBetaKernel(x, y, a, b) - logTail);
    const bounded = Math.min(step, 3 + Math.abs(logit2));
    logit2 -= bounded;
    if (Math.abs(bounded) < 4e-15 * Math.max(1, Math.abs(logit2))) break;
  }
  return logit2;
}
function betaQuantile(p, a, b) {
  requireDomain(isShape(a) && isShape(b), "shape", "beta quantile needs finite shapes above zero");
  requireDomain(p >= 0 && p <= 1, "probability", "beta quantile needs a probability in [0, 1]");
  if (p === 0 || p === 1) return p;
  if (p <= 0.5) return logistic(lowerLogit(p, a, b));
  return logistic(-lowerLogit(1 - p, b, a));
}
var logistic = (logit2) => 1 / (1 + Math.exp(-logit2));

// libs/statistics/src/numerics/logistic.ts
function logit(p) {
  requireDomain(p > 0 && p < 1, "mass", "logit needs a probability in (0, 1)");
  return Math.log(p) - Math.log1p(-p);
}
function expit(x) {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const odds = Math.exp(x);
  return odds / (1 + odds);
}

// libs/statistics/src/random/samplers.ts
function drawNormal(rng) {
  for (; ; ) {
    const u = 2 * rng.next() - 1;
    const v = 2 * rng.next() - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt(-2 * Math.log(s) / s);
  }
}
function drawGamma(rng, shape) {
  requireDomain(shape > 0 && shape < Infinity, "shape", "a gamma shape must be finite and above zero");
  if (shape < 1) return drawGamma(rng, shape + 1) * Math.pow(1 - rng.next(), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (; ; ) {
    const x = drawNormal(rng);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - rng.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
function drawBeta(rng, a, b) {
  const x = drawGamma(rng, a);
  const y = drawGamma(rng, b);
  return x + y > 0 ? x / (x + y) : a / (a + b);
}

// node_modules/pure-rand/lib/esm/distribution/uniformFloat64.js
var scale26 = 14901161193847656e-24;
var scale53 = 11102230246251565e-32;
var mask1 = 67108863;
var mask2 = 134217727;
function uniformFloat64(rng) {
  const value1 = rng.next() & mask1;
  const value2 = rng.next() & mask2;
  return value1 * scale26 + value2 * scale53;
}

// node_modules/pure-rand/lib/esm/generator/xoroshiro128plus.js
var jumps = [
  3639956645,
  3750757012,
  1261568508,
  386426335
];
var XoroShiro128Plus = class XoroShiro128Plus2 {
  constructor(s01, s00, s11, s10) {
    this.s01 = s01;
    this.s00 = s00;
    this.s11 = s11;
    this.s10 = s10;
  }
  clone() {
    return new XoroShiro128Plus2(this.s01, this.s00, this.s11, this.s10);
  }
  next() {
    const out = this.s00 + this.s10 | 0;
    const a0 = this.s10 ^ this.s00;
    const a1 = this.s11 ^ this.s01;
    const s00 = this.s00;
    const s01 = this.s01;
    this.s00 = s00 << 24 ^ s01 >>> 8 ^ a0 ^ a0 << 16;
    this.s01 = s01 << 24 ^ s00 >>> 8 ^ a1 ^ (a1 << 16 | a0 >>> 16);
    this.s10 = a1 << 5 ^ a0 >>> 27;
    this.s11 = a0 << 5 ^ a1 >>> 27;
    return out;
  }
  jump() {
    let ns01 = 0;
    let ns00 = 0;
    let ns11 = 0;
    let ns10 = 0;
    let s01 = this.s01;
    let s00 = this.s00;
    let s11 = this.s11;
    let s10 = this.s10;
    for (let i = 0; i !== 4; ++i) {
      const ji = jumps[i];
      for (let mask = 1; mask; mask <<= 1) {
        if (ji & mask) {
          ns01 ^= s01;
          ns00 ^= s00;
          ns11 ^= s11;
          ns10 ^= s10;
        }
        const a0 = s10 ^ s00;
        const a1 = s11 ^ s01;
        const s00_ = s00;
        const s01_ = s01;
        s00 = s00_ << 24 ^ s01_ >>> 8 ^ a0 ^ a0 << 16;
        s01 = s01_ << 24 ^ s00_ >>> 8 ^ a1 ^ (a1 << 16 | a0 >>> 16);
        s10 = a1 << 5 ^ a0 >>> 27;
        s11 = a0 << 5 ^ a1 >>> 27;
      }
    }
    this.s01 = ns01;
    this.s00 = ns00;
    this.s11 = ns11;
    this.s10 = ns10;
  }
  getState() {
    return [
      this.s01,
      this.s00,
      this.s11,
      this.s10
    ];
  }
};
function xoroshiro128plus(seed) {
  return new XoroShiro128Plus(-1, ~seed, seed | 0, 0);
}

// libs/statistics/src/random/rng.ts
var WARM_UP = 64;
function scramble(seed) {
  let h = seed | 0;
  h = Math.imul(h ^ h >>> 16, 2246822507);
  h = Math.imul(h ^ h >>> 13, 3266489909);
  return h ^ h >>> 16;
}
function seededRng(seed) {
  requireDomain(Number.isSafeInteger(seed), "range", "a seed must be a whole number");
  const generator = xoroshiro128plus(scramble(seed));
  for (let i = 0; i < WARM_UP; i++) generator.next();
  return { next: () => uniformFloat64(generator) };
}

// libs/statistics/src/numerics/beta-interval.ts
function betaInterval(alpha, beta, mass) {
  requireDomain(mass > 0 && mass < 1, "mass", "an interval needs a mass in (0, 1)");
  const tail = (1 - mass) / 2;
  return { low: betaQuantile(tail, alpha, beta), high: betaQuantile(1 - tail, alpha, beta) };
}

// libs/statistics/src/contact/contact-model.ts
var MASS = 0.95;
function predictContact(model, arm, x) {
  requireDomain(
    isShape(arm.alpha) && isShape(arm.beta),
    "shape",
    "the arm needs finite Beta shapes above zero"
  );
  const mean = arm.alpha / (arm.alpha + arm.beta);
  if (model === null || x.every((value) => value === 0)) {
    return { probability: mean, ...betaInterval(arm.alpha, arm.beta, MASS), basis: "arm" };
  }
  requireDomain(
    x.length === model.coefficients.length && x.every(Number.isFinite),
    "size",
    "features must match the model"
  );
  const shift = x.reduce((sum, value, j) => sum + value * model.coefficients[j], 0);
  let shiftVariance = 0;
  x.forEach(
    (xi, i) => x.forEach((xj, j) => {
      shiftVariance += xi * xj * model.covariance[i][j];
    })
  );
  const z = normalQuantile((1 + MASS) / 2);
  const half = (side) => {
    const p = side < 0 ? (1 - MASS) / 2 : (1 + MASS) / 2;
    const end = Math.min(1 - 1e-12, Math.max(1e-12, betaQuantile(p, arm.alpha, arm.beta)));
    const armHalf = logit(end) - logit(mean);
    return side * Math.sqrt(armHalf * armHalf + z * z * shiftVariance);
  };
  const centre = logit(mean) + shift;
  return {
    probability: expit(centre),
    low: expit(centre + half(-1)),
    high: expit(centre + half(1)),
    basis: "contact"
  };
}

// libs/statistics/src/contact/decide.ts
var SWITCH_FACTOR = 1.25;
var stop = (stopReason) => ({
  action: "stop",
  channel: null,
  step: null,
  probability: null,
  low: null,
  high: null,
  waitDays: 0,
  stopReason
});
function decideContact(snapshot) {
  const { ended, currentChannel, nextStep, maxSteps, daysSinceLastTouch, minGapDays, options } = snapshot;
  requireDomain(
    nextStep >= 0 && minGapDays >= 0 && (daysSinceLastTouch ?? 0) >= 0,
    "range",
    "steps and days must be >= 0"
  );
  if (ended !== null) return stop(ended);
  if (nextStep >= maxSteps) return stop("sequence_exhausted");
  requireDomain(options.length > 0, "size", "a contact at risk needs at least one usable channel");
  const ranked = [...options].sort(
    (a, b) => b.prediction.probability - a.prediction.probability || (a.channel < b.channel ? -1 : 1)
  );
  const best = ranked[0];
  const current = options.find(({ channel }) => channel === currentChannel);
  const stays = current && best.prediction.probability < SWITCH_FACTOR * current.prediction.probability;
  const chosen = stays ? current : best;
  const waitDays = daysSinceLastTouch === null ? 0 : Math.max(0, minGapDays - daysSinceLastTouch);
  const moves = currentChannel !== null && chosen.channel !== currentChannel;
  const { probability, low, high } = chosen.prediction;
  return {
    action: waitDays > 0 ? "wait" : moves ? "switch_channel" : "send",
    channel: chosen.channel,
    step: nextStep,
    probability,
    low,
    high,
    waitDays,
    stopReason: null
  };
}

// libs/statistics/src/contact/frozen-decision.ts
var NODES = 64;
var SWITCH_FACTOR2 = 1.25;
var TINY2 = 1e-12;
function contactDecider(model) {
  const { maxSteps, minGapDays } = model.policy;
  requireDomain(maxSteps > 0 && minGapDays >= 0, "range", "a policy needs steps and a gap");
  const known = /* @__PURE__ */ new Map();
  return (inputs) => {
    const candidates = inputs.candidates.map(inItsCampaign);
    const predicted = candidates.map(({ channel: channel2, alpha, beta }) => ({
      channel: channel2,
      prediction: predictContact(model.contact, { alpha, beta }, inputs.features)
    }));
    const shift = shiftOf(model.contact, inputs.features);
    const rng = seededRng(inputs.seed);
    const drawn = candidates.map(({ channel: channel2, alpha, beta }, i) => ({
      channel: channel2,
      prediction: {
        ...predicted[i].prediction,
        probability: moved(drawBeta(rng, alpha, beta), shift)
      }
    }));
    const snapshot = {
      ended: inputs.ended,
      currentChannel: inputs.currentChannel,
      nextStep: inputs.currentStep + 1,
      maxSteps,
      daysSinceLastTouch: inputs.daysSinceLastTouch,
      minGapDays
    };
    const { action, channel, step, waitDays, stopReason } = decideContact({ ...snapshot, options: drawn });
    if (stopReason !== null || channel === null) return stopped(stopReason ?? "sequence_exhausted");
    const exploration = decideContact({ ...snapshot, options: predicted }).channel !== channel;
    const promise = predicted.find((option) => option.channel === channel)?.prediction;
    const key = JSON.stringify([channel, inputs.currentChannel, shift, candidates]);
    const propensity = known.get(key) ?? propensityOf(channel, { ...inputs, candidates }, shift);
    known.set(key, propensity);
    return {
      action,
      reason: reasonOf(action, exploration),
      channel,
      step,
      waitDays,
      probability: promise?.probability ?? null,
      low: promise?.low ?? null,
      high: promise?.high ?? null,
      propensity,
      exploration,
      patternCodes: model.patterns.codes,
      tone: model.patterns.tone,
      daypart: model.patterns.daypart,
      weekday: model.patterns.weekday
    };
  };
}
function inItsCampaign({ channel, alpha, beta, campaign }) {
  return { channel, ...campaign ? armInCampaign({ alpha, beta }, campaign) : { alpha, beta } };
}
function stopped(reason) {
  return {
    action: "stop",
    reason,
    channel: null,
    step: null,
    waitDays: 0,
    probability: null,
    low: null,
    high: null,
    propensity: 1,
    exploration: false,
    patternCodes: [],
    tone: null,
    daypart: null,
    weekday: null
  };
}
function reasonOf(action, exploration) {
  if (action === "wait") return "resting";
  if (exploration) return "learning";
  return action === "switch_channel" ? "better_channel" : "next_step";
}
function shiftOf(contact, features) {
  return contact === null ? 0 : features.reduce((sum, x, j) => sum + x * contact.coefficients[j], 0);
}
function moved(rate, shift) {
  return shift === 0 ? rate : expit(logit(inside(rate)) + shift);
}
function inside(rate) {
  return Math.min(1 - TINY2, Math.max(TINY2, rate));
}
function propensityOf(chosen, { candidates, currentChannel }, shift) {
  const own = candidates.find(({ channel }) => channel === chosen);
  const others = candidates.filter(({ channel }) => channel !== chosen);
  if (own === void 0 || others.length === 0) return 1;
  let total = 0;
  for (let node = 0; node < NODES; node++) {
    const promise = moved(betaQuantile((node + 0.5) / NODES, own.alpha, own.beta), shift);
    total += others.reduce((product, { channel, alpha, beta }) => {
      const factor = chosen === currentChannel ? SWITCH_FACTOR2 : channel === currentChannel ? 1 / SWITCH_FACTOR2 : 1;
      const bound = promise * factor;
      return bound >= 1 ? product : product * incompleteBeta(moved(bound, -shift), alpha, beta);
    }, 1);
  }
  return total / NODES;
}
function replayDecision(decision, decide = contactDecider(
  JSON.parse(decision.model)
)) {
  const result = JSON.stringify(decide(JSON.parse(decision.inputs)));
  return { result, identical: result === decision.result };
}
