import { mintTenantScope } from '../mint';
import type { TenantScope } from '../tenant-scope';
import type { TenantTransaction } from '../transactions';
import { mintSystemScope } from './mint-system-scope';
import type { SystemScope } from './system-scope';

const COMPANY = '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77';

describe('a system scope', () => {
  it('holds the settings it is given, and none by default', () => {
    expect(mintSystemScope({ 'app.key_id': 'k' })).toEqual({ settings: { 'app.key_id': 'k' } });
    expect(mintSystemScope()).toEqual({ settings: {} });
  });

  // The compiler checks these, and reports an expected error that does not occur.
  it('cannot be confused with a tenant or with an object of the same shape', () => {
    const companyOf = ({ companyId }: TenantScope) => companyId;
    const settingsOf = ({ settings }: SystemScope) => settings;
    const transaction = mintTenantScope(COMPANY) as TenantTransaction;
    expect(companyOf(transaction)).toBe(COMPANY);
    // @ts-expect-error it belongs to no single tenant
    expect(companyOf(mintSystemScope())).toBeUndefined();
    // @ts-expect-error nobody established this tenant
    expect(companyOf({ companyId: COMPANY })).toBe(COMPANY);
    // @ts-expect-error a tenant scope is not a system scope
    expect(settingsOf(mintTenantScope(COMPANY))).toBeUndefined();
    // @ts-expect-error no repository minted it
    expect(settingsOf({ settings: {} })).toEqual({});
  });
});
