import { mintTenantScope } from '../mint';
import type { TenantScope } from '../tenant-scope';
import type { TenantTransaction } from '../transactions';
import { mintSystemScope } from './mint-system-scope';
import type { SystemScope } from './system-scope';

const COMPANY = '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77';

describe('a system scope', () => {
  it('holds what policies grant by, and nothing where nothing is given', () => {
    expect(mintSystemScope({ 'app.key_id': 'k' })).toEqual({ settings: { 'app.key_id': 'k' } });
    expect(mintSystemScope()).toEqual({ settings: {} });
  });

  // What is wrong here the compiler says, and it says so where an error that is expected does not come.
  it('is told from a tenant and from what only looks like either', () => {
    const companyOf = ({ companyId }: TenantScope) => companyId;
    const settingsOf = ({ settings }: SystemScope) => settings;
    const transaction = mintTenantScope(COMPANY) as TenantTransaction;
    expect(companyOf(transaction)).toBe(COMPANY);
    // @ts-expect-error of no single tenant
    expect(companyOf(mintSystemScope())).toBeUndefined();
    // @ts-expect-error nobody established this tenant
    expect(companyOf({ companyId: COMPANY })).toBe(COMPANY);
    // @ts-expect-error a tenant is not everybody
    expect(settingsOf(mintTenantScope(COMPANY))).toBeUndefined();
    // @ts-expect-error no repository minted it
    expect(settingsOf({ settings: {} })).toEqual({});
  });
});
