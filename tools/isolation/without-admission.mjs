// @ts-check
// Preloaded into a service: takes one of its bounds away, so that the attack on it has to be seen.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';

const load = createRequire(join(root, 'package.json'));
const dist = (/** @type {string} */ path) => load(join(root, path));

/** @type {Record<string, () => void>} */
const mutations = {
  /** The memory of the largest body is set aside when a body begins. */
  reserve() {
    const { BodyLedger } = dist('libs/limits/dist/bodies/body-ledger.js');
    const { begin, grow } = BodyLedger.prototype;
    Object.assign(BodyLedger.prototype, {
      mayBegin: () => true,
      begin(/** @type {unknown} */ owner, /** @type {unknown} */ evict) {
        const body = begin.call(this, owner);
        return evict ? Object.assign(body, { isKept: grow.call(this, body, 8 * 2 ** 20) }) : body;
      },
      grow(/** @type {{ isKept?: boolean }} */ body, /** @type {number} */ bytes) {
        return body.isKept ?? grow.call(this, body, bytes);
      },
    });
  },
  /** Bodies are bounded by nothing but the size of one. */
  bodies() {
    const { BodyLedger } = dist('libs/limits/dist/bodies/body-ledger.js');
    Object.assign(BodyLedger.prototype, { mayBegin: () => true, grow: () => true });
    const { RequestBodies } = dist('libs/limits/dist/bodies/request-bodies.service.js');
    RequestBodies.prototype.lookAtAll = () => {};
  },
  /** What is no call of a tool is neither counted nor bounded. */
  free() {
    const { FreeRequests } = dist('apps/mcp-gateway/dist/mcp/free-requests.service.js');
    Object.assign(FreeRequests.prototype, { count: () => Promise.resolve(), refusalOf: () => undefined });
    const rpc = dist('apps/mcp-gateway/dist/json-rpc.protocol.js');
    const { readMessage } = rpc;
    Object.defineProperty(rpc, 'readMessage', {
      value: (/** @type {Buffer} */ body) => {
        if (body.length < 16_384) return readMessage(body);
        return { kind: 'request', ...JSON.parse(body.toString()) };
      },
    });
  },
  /** A company takes all the connections and turns that there are, and is refused as fast as it asks. */
  turns() {
    const { FairTurns } = dist('libs/platform/dist/turns/fair-turns.js');
    const { FairWork } = dist('libs/platform/dist/turns/fair-work.js');
    const run = (/** @type {string} */ _name, /** @type {() => unknown} */ work) => work();
    for (const { prototype } of [FairTurns, FairWork]) prototype.run = run;
    const { PacedRefusals } = dist('libs/limits/dist/shares/paced-refusals.service.js');
    PacedRefusals.prototype.turn = () => Promise.resolve();
  },
  /** Every made-up key is looked up. */
  strangers() {
    const { Strangers } = dist('libs/limits/dist/http/strangers.service.js');
    Strangers.prototype.mayLookUp = () => true;
  },
};

mutations[process.env['ISOLATION_MUTATION'] ?? '']?.();
