/**
 * SQL of how large tables are, to a power of ten of their pages: part of the names of statements that look rows up in
 * them. The plan that was made while a table was empty takes any index that begins with the company, and would be kept for
 * as long as nothing has analysed the table: what is quick over ten pages takes minutes over ten thousand.
 */
export const scaleOf = (...tables: readonly string[]): string =>
  tables.map((table) => `length((pg_relation_size('${table}') / 8192)::text)`).join(` || '.' || `);
