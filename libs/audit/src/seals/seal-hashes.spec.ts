import { createHash } from 'node:crypto';
import { NO_SEAL, RootHash, sealSha256, type SealedRow } from './seal-hashes';

const sha256 = (...parts: readonly (string | Buffer)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

const row: SealedRow = {
  company_id: '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77',
  entry_id: '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a78',
  sequence: '42',
  occurred_at: '0002f3c5f0d1a2b3',
  requested_company_id: null,
  key_id: 'abcdefghijklmnop',
  actor_type: 'agent',
  actor_id: 'é "x"',
  tool: 'get_bandit_state',
  status: 'success',
  error_type: null,
  latency_ms: '3fc00000',
  input_sha256: 'aa',
  output_sha256: null,
  request_id: 'r',
};
// Written out: whoever changes this text makes every seal that exists look broken.
const ROW_TEXT =
  '{"actor_id":"é \\"x\\"","actor_type":"agent","company_id":"0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77",' +
  '"entry_id":"0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a78","error_type":null,"input_sha256":"aa",' +
  '"key_id":"abcdefghijklmnop","latency_ms":"3fc00000","occurred_at":"0002f3c5f0d1a2b3","output_sha256":null,' +
  '"request_id":"r","requested_company_id":null,"sequence":"42","status":"success","tool":"get_bandit_state"}';

function rootOf(...rows: readonly SealedRow[]): Buffer {
  const root = new RootHash();
  for (const one of rows) root.add(one);
  return root.digest();
}

describe('the hash over rows', () => {
  it('is the SHA-256 of the SHA-256s of their canonical texts', () => {
    expect(rootOf(row)).toEqual(sha256(sha256(ROW_TEXT)));
    const other = { ...row, sequence: '43' };
    const otherText = ROW_TEXT.replace('"42"', '"43"');
    expect(rootOf(row, other)).toEqual(sha256(sha256(ROW_TEXT), sha256(otherText)));
    expect(rootOf(other, row)).not.toEqual(rootOf(row, other));
  });
});

describe('the hash of a seal', () => {
  it('covers all that it says', () => {
    const seal = {
      companyId: row.company_id,
      sealNo: 1,
      fromSequence: 42,
      toSequence: 43,
      rowCount: 2,
      sealedAt: new Date('2026-03-01T10:00:00.123Z'),
      rootSha256: Buffer.alloc(32, 1),
      previousSha256: NO_SEAL,
    };
    const text =
      `{"companyId":"${row.company_id}","fromSequence":42,"previousSha256":"${'00'.repeat(32)}",` +
      `"rootSha256":"${'01'.repeat(32)}","rowCount":2,"sealNo":1,"sealedAt":1772359200123,"toSequence":43}`;
    expect(sealSha256(seal)).toEqual(sha256(text));
  });
});
