import { ruleTester } from './rule-tester.mjs';
import rule from './sql-in-repository.mjs';

const errors = [{ messageId: 'sql' }];
/** @param {string} code */
const sql = (code) => ({ code, errors });

ruleTester.run('sql-in-repository', rule, {
  valid: [
    "const method = 'DELETE';",
    "const words = ['SELECT', 'WITH'];",
    "const advice = 'Select a company with care.';",
    'const where = `${column} = ANY ($1)`;',
    "const state = 'UPDATED since';",
  ],
  invalid: [
    "client.query('SELECT 1');",
    'client.query(`\n  WITH found AS (SELECT 1) SELECT * FROM found`);',
    "const STATEMENT = 'DELETE FROM touches WHERE company_id = $1';",
    'const statement = `SELECT ${columns} FROM touches`;',
    'const statement = `UPDATE ${table} SET seen = true`;',
    "database.statement(scope, { name: 'a', text: 'INSERT INTO a VALUES ($1)', values });",
    "await client.query('TRUNCATE touches');",
  ].map(sql),
});
