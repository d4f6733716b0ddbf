import { mintTenantScope } from './mint-tenant-scope';

describe('a tenant scope', () => {
  it('holds its company and cannot be changed', () => {
    const scope = mintTenantScope('0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77');
    expect(scope.companyId).toBe('0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77');
    expect(Object.isFrozen(scope)).toBe(true);
  });

  // The value goes into a statement's text: its form is the guard.
  it.each([
    '',
    'acme',
    '0197B0F2-7C1E-7A54-9D0C-3F0E5C1F2A77',
    `0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77'`,
    '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77\n',
    `' OR true --`,
    `' OR true --0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a77`,
    '0197b0f2-7c1e-7a54-9d0c-3f0e5c1f2a777',
    '0197b0f27c1e7a549d0c3f0e5c1f2a77',
  ])('is not minted for %j', (companyId) => expect(() => mintTenantScope(companyId)).toThrow(RangeError));
});
