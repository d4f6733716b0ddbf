import { ruleTester } from './rule-tester.mjs';
import rule from './scoped-repository.mjs';

/** @param {string} body */
const repository = (body) => `export class KeyRepository extends ScopedRepository<Key> { ${body} }`;
const errors = [{ messageId: 'unscoped' }];

ruleTester.run('scoped-repository', rule, {
  valid: [
    repository('find(scope: TenantScope, id: string) {}'),
    repository('async purge(_scope: SystemScope): Promise<void> {}'),
    repository('find(scope: TenantScope | SystemScope) {}'),
    repository('find(transaction: TenantTransaction, id: string) {}'),
    repository('find({ client, companyId }: TenantTransaction) {}'),
    repository('find({ client }: SystemTransaction) {}'),
    repository('all() { return this.database.unscoped(mintSystemScope(), read); }'),
    repository("all = (id: string) => this.database.unscoped(mintSystemScope({ 'app.key_id': id }), read);"),
    repository('constructor(source: DataSource) { super(); }'),
    repository('private map(row: Row) {} protected table() {} #cache() {}'),
    repository(
      'find(scope: TenantScope): A; find(scope: TenantScope, id: string): B; find(scope: TenantScope) {}',
    ),
    repository('readonly columns = ["id"];'),
  ],
  invalid: [
    { code: repository('find(id: string) {}'), errors },
    { code: repository('all() {}'), errors },
    { code: repository('find(scope) {}'), errors },
    { code: repository('find(id: string, scope: TenantScope) {}'), errors },
    { name: 'optional', code: repository('find(scope?: TenantScope) {}'), errors },
    { name: 'defaulted', code: repository('find(scope: TenantScope = everyone) {}'), errors },
    { name: 'a union that lets go', code: repository('find(scope: TenantScope | undefined) {}'), errors },
    { name: 'an optional transaction', code: repository('find(transaction?: TenantTransaction) {}'), errors },
    {
      name: 'a transaction that may be left out',
      code: repository('find({ client }: TenantTransaction = any) {}'),
      errors,
    },
    {
      name: 'a system scope that another method mints',
      code: repository('all() { return this.read(); } private read() { mintSystemScope(); }'),
      errors,
    },
    { name: 'destructured', code: repository('find({ tenantId }: TenantScope) {}'), errors },
    {
      name: 'an overload that omits it',
      code: repository('find(id: string): A; find(scope: TenantScope) {}'),
      errors,
    },
    { name: 'abstract', code: 'abstract class R { abstract find(id: string): A; }', errors },
    { name: 'static', code: repository('static find(id: string) {}'), errors },
    { name: 'an arrow', code: repository('find = (id: string) => {};'), errors },
  ],
});
