import * as crypto from 'node:crypto';
import { Test } from '@nestjs/testing';
import { AccountsModule } from '../accounts.module';
import { PasswordHashes } from './password-hashes.service';

jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof crypto>('node:crypto');
  return { ...actual, scrypt: jest.fn(actual.scrypt) };
});

const PASSWORD = 'correct horse battery';
/** As OWASP has it for 32 MiB: what is stored, and what an account that there is not is held against. */
const COST = /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/;

describe('hashes of passwords', () => {
  it('are made at full cost, take the password and no other, and no two are alike', async () => {
    const hashes = new PasswordHashes();
    const [one, other] = [await hashes.hash(PASSWORD), await hashes.hash(PASSWORD)];
    expect([one, other]).toEqual([expect.stringMatching(COST), expect.stringMatching(COST)]);
    expect(one).not.toBe(other);
    expect(await hashes.verify(PASSWORD, one)).toBe(true);
    expect(await hashes.verify(`${PASSWORD}x`, one)).toBe(false);
  });

  it('cost as much for an account that there is not', async () => {
    const hashes = new PasswordHashes();
    expect(hashes['decoy']).toMatch(COST);
    const derived = jest.spyOn(hashes as unknown as { derive: () => Promise<Buffer> }, 'derive');
    expect(await hashes.verify(PASSWORD, undefined)).toBe(false);
    expect(derived).toHaveBeenCalledWith(PASSWORD, expect.any(Buffer), { log2N: 15, r: 8, p: 3 }, '');
  });

  it('are taken with the cost that they name, so that it may grow', async () => {
    const earlier = await new PasswordHashes({ log2N: 4, r: 8, p: 1 }).hash(PASSWORD);
    expect(earlier).toMatch(/^scrypt\$4\$8\$1\$/);
    expect(await new PasswordHashes().verify(PASSWORD, earlier)).toBe(true);
  });

  it('are made for one sender behind its own, and not behind those of another', async () => {
    const hashes = new PasswordHashes({ log2N: 10, r: 8, p: 1 });
    const others = Array.from({ length: 12 }, () => hashes.verify('of one', undefined, '192.0.2.1'));
    await Promise.all([...others, hashes.verify('of another', undefined, '192.0.2.2')]);
    // In the order in which they are begun: two at once end in either order. Mutation: one line for everybody, and
    // whoever sends many sign-ins has everybody wait.
    const begun = jest.mocked(crypto.scrypt).mock.calls.map(([password]) => password);
    expect(begun.indexOf('of another')).toBe(2);
    expect(begun).toHaveLength(13);
  });

  it('are made at full cost by the service', async () => {
    const providers = AccountsModule.register(undefined).providers ?? [];
    const provider = providers.find((one) => 'provide' in one && one.provide === PasswordHashes);
    const module = await Test.createTestingModule({ providers: [provider ?? PasswordHashes] }).compile();
    expect(module.get(PasswordHashes)['decoy']).toMatch(COST);
  });
});
