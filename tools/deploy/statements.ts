// What Citus asks of a statement on tables that are spread by company: which company, said in the statement itself.
// Row-level security says it too, but the planner of Citus does not look there (see k8s/README.md).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import { root } from '../local/settings.mjs';

await loadModule();

const script = readFileSync(join(root, 'k8s/citus.sql'), 'utf8');

/** Tables that are spread, and the column that says where a row is. */
export const spread = new Set(
  [...script.matchAll(/create_distributed_table\('(\w+)', 'company_id'/g)].map(([, name]) => name ?? ''),
);

/** A node of the syntax tree of libpg-query. */
type Node = any;

/** @returns The last name of a column reference: `a.company_id` is company_id. */
const columnOf = (node: Node): string => node?.ColumnRef?.fields?.at(-1)?.String?.sval ?? '';
/** @returns What a column reference is qualified with, where it is. */
const qualifierOf = (node: Node): string | undefined =>
  node?.ColumnRef?.fields?.length > 1 ? node.ColumnRef.fields.at(-2)?.String?.sval : undefined;
const isCompany = (node: Node): boolean => columnOf(node) === 'company_id';

/** @returns What is cast. */
const uncast = (node: Node): Node => (node?.TypeCast ? uncast(node.TypeCast.arg) : node);

/** @returns Whether it is known before the rows are: a parameter or a constant. */
const isGiven = (node: Node): boolean => {
  const value = uncast(node);
  return value?.ParamRef !== undefined || value?.A_Const !== undefined;
};

/** @returns The parts of an AND, all of which hold. */
function conjuncts(node: Node): Node[] {
  if (!node) return [];
  const { BoolExpr: expression } = node;
  return expression?.boolop === 'AND_EXPR' ? expression.args.flatMap(conjuncts) : [node];
}

/** @returns The sides of an equation. */
function equation(node: Node): [Node, Node] | undefined {
  const expression = node?.A_Expr;
  const isEquation = expression?.kind === 'AEXPR_OP' && expression.name?.[0]?.String?.sval === '=';
  return isEquation ? [uncast(expression.lexpr), uncast(expression.rexpr)] : undefined;
}

/** What one level of a query reads: spread tables, and other sources, by the name they go by. */
interface Level {
  tables: Map<string, string>;
  others: Set<string>;
  conditions: Node[];
  using: boolean;
}

function gather(item: Node, level: Level, ctes: Set<string>) {
  if (!item) return;
  if (item.RangeVar) {
    const { relname, alias } = item.RangeVar;
    const name = alias?.aliasname ?? relname;
    if (spread.has(relname) && !ctes.has(relname)) level.tables.set(name, relname);
    else level.others.add(name);
  } else if (item.JoinExpr) {
    gather(item.JoinExpr.larg, level, ctes);
    gather(item.JoinExpr.rarg, level, ctes);
    level.conditions.push(...conjuncts(item.JoinExpr.quals));
    const using = (item.JoinExpr.usingClause ?? []).map((part: Node) => part.String?.sval);
    if (using.includes('company_id')) level.using = true;
  } else {
    const name = (item.RangeSubselect ?? item.RangeFunction)?.alias?.aliasname;
    if (name) level.others.add(name);
  }
}

/**
 * @param known Names of outer levels whose company is given.
 * @returns Names at this level whose company is given, by a value or by another such name.
 */
function givenNames(level: Level, known: Set<string>): Set<string> {
  const given = new Set(known);
  const all = [...level.tables.keys(), ...level.others];
  const namesOf = (node: Node) => {
    const qualifier = qualifierOf(node);
    if (qualifier !== undefined) return [qualifier];
    // Without a qualifier it is what USING made one, or the column of the one table that there is.
    if (level.using) return all;
    return level.tables.size === 1 ? [...level.tables.keys()] : [];
  };
  for (let before = -1; before !== given.size;) {
    before = given.size;
    for (const condition of level.conditions) {
      const sides = equation(condition);
      if (!sides) continue;
      for (const [one, other] of [sides, [sides[1], sides[0]]]) {
        if (!isCompany(one)) continue;
        const isBound =
          isGiven(other) || (isCompany(other) && namesOf(other).some((name) => given.has(name)));
        if (isBound) for (const name of namesOf(one)) given.add(name);
      }
    }
    if (level.using && all.some((name) => given.has(name))) for (const name of all) given.add(name);
  }
  return given;
}

/** @param statement What stands under SelectStmt, InsertStmt, UpdateStmt or DeleteStmt. */
function checkStatement(
  statement: Node,
  kind: string,
  { ctes: outerCtes, known, faults }: { ctes: Set<string>; known: Set<string>; faults: string[] },
) {
  const ctes = new Set(outerCtes);
  for (const { CommonTableExpr: cte } of statement.withClause?.ctes ?? []) {
    checkAny(cte.ctequery, { ctes, known, faults });
    ctes.add(cte.ctename);
  }
  if (statement.op && statement.op !== 'SETOP_NONE') {
    for (const side of [statement.larg, statement.rarg])
      checkStatement(side, 'SelectStmt', { ctes, known, faults });
    return;
  }
  const level: Level = { tables: new Map(), others: new Set(), conditions: [], using: false };
  const isChange = kind === 'UpdateStmt' || kind === 'DeleteStmt';
  if (isChange) gather({ RangeVar: statement.relation }, level, ctes);
  for (const item of [...(statement.fromClause ?? []), ...(statement.usingClause ?? [])])
    gather(item, level, ctes);
  level.conditions.push(...conjuncts(statement.whereClause));
  const given = givenNames(level, known);
  for (const [name, table] of level.tables) {
    if (!given.has(name)) faults.push(`${table}${name === table ? '' : ` ${name}`}: no company is given`);
  }
  if (kind === 'InsertStmt') checkInsert(statement, faults);
  if (kind !== 'SelectStmt') checkFunctions(statement, faults);
  if (kind === 'UpdateStmt' && spread.has(statement.relation.relname)) {
    const set = (statement.targetList ?? []).map(({ ResTarget }: Node) => ResTarget.name);
    if (set.includes('company_id')) faults.push(`${statement.relation.relname}: a row would change its node`);
  }
  const rest = { ...statement, withClause: undefined };
  descend(rest, { ctes, known: given, faults });
}

/** What differs from call to call. */
const volatile = ['clock_timestamp', 'gen_random_uuid', 'random'];
/** What differs from statement to statement, too, or with the settings of a session. */
const unstable = [...volatile, 'now', 'statement_timestamp', 'extract', 'to_char'];

/**
 * Citus decides on the coordinator what a change is, or leaves it to the node to decide: functions that could differ there
 * it refuses.
 */
function checkFunctions(statement: Node, faults: string[]) {
  const table = statement.relation.relname;
  if (!spread.has(table)) return;
  const {
    onConflictClause: conflict,
    returningClause,
    returningList = returningClause,
    targetList,
  } = statement;
  const inConflict = { targetList: conflict?.targetList, where: conflict?.whereClause };
  const called = (node: Node, names: readonly string[]) =>
    functionsIn(node).find((name) => names.includes(name));
  const changing = statement.selectStmt
    ? undefined
    : called({ targetList, where: statement.whereClause }, volatile);
  if (changing) faults.push(`${table}: ${changing} in a change, which is VOLATILE`);
  const conflicting = called(inConflict, unstable);
  if (conflicting) faults.push(`${table}: ${conflicting} in ON CONFLICT, which is not IMMUTABLE`);
  if (addsInterval(inConflict)) faults.push(`${table}: a time and an interval in ON CONFLICT, not IMMUTABLE`);
  if (addsInterval(returningList))
    faults.push(`${table}: a time and an interval in RETURNING, not IMMUTABLE`);
  const returned = called(returningList, unstable);
  if (returned) faults.push(`${table}: ${returned} in RETURNING, which is not IMMUTABLE`);
}

/** @returns The functions that are called in it, whatever these are given. */
function functionsIn(node: Node): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = node.FuncCall?.funcname?.at(-1)?.String?.sval;
  // In UTC a time has the same parts everywhere.
  if (own === 'extract' && JSON.stringify(node).includes('"timezone"')) return [];
  return [...(own ? [own] : []), ...Object.values(node).flatMap(functionsIn)];
}

/** @returns Whether an interval is added to what is not a time in UTC. */
function addsInterval(node: Node): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { A_Expr: sum } = node;
  const sides = sum && ['+', '-'].includes(sum.name?.[0]?.String?.sval) ? [sum.lexpr, sum.rexpr] : [];
  const isInterval = (side: Node) => side?.TypeCast?.typeName?.names?.at(-1)?.String?.sval === 'interval';
  const isInUtc = (side: Node) => side?.FuncCall?.funcname?.at(-1)?.String?.sval === 'timezone';
  if (sides.some(isInterval) && !sides.some(isInUtc)) return true;
  return Object.values(node).some(addsInterval);
}

function checkInsert(statement: Node, faults: string[]) {
  const table = statement.relation.relname;
  if (!spread.has(table)) return;
  const columns = (statement.cols ?? []).map(({ ResTarget }: Node) => ResTarget.name);
  if (!columns.includes('company_id')) faults.push(`${table}: a row without its company`);
  const conflict = statement.onConflictClause;
  const target = (conflict?.infer?.indexElems ?? []).map(({ IndexElem }: Node) => IndexElem.name);
  if (conflict?.infer && !target.includes('company_id'))
    faults.push(`${table}: ON CONFLICT leaves out company_id`);
  const changed = (conflict?.targetList ?? []).map(({ ResTarget }: Node) => ResTarget.name);
  if (changed.includes('company_id')) faults.push(`${table}: a row would change its node`);
  // Citus stores what a SELECT brings with COPY, which Postgres refuses under row-level security, unless the
  // statement says what becomes of conflicts or what it returns.
  const isSelect = statement.selectStmt?.SelectStmt && !statement.selectStmt.SelectStmt.valuesLists;
  if (isSelect && !conflict && !statement.returningClause) {
    faults.push(`${table}: INSERT ... SELECT without ON CONFLICT or RETURNING`);
  }
}

const kinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

function checkAny(node: Node, context: { ctes: Set<string>; known: Set<string>; faults: string[] }) {
  const kind = kinds.find((name) => node?.[name] !== undefined);
  if (kind) checkStatement(node[kind], kind, context);
  else descend(node, context);
}

function descend(node: Node, context: { ctes: Set<string>; known: Set<string>; faults: string[] }) {
  if (Array.isArray(node)) for (const part of node) checkAny(part, context);
  else if (typeof node === 'object' && node !== null) {
    for (const part of Object.values(node)) {
      if (Array.isArray(part)) descend(part, context);
      else if (typeof part === 'object' && part !== null) checkAny(part, context);
    }
  }
}

/**
 * @param sql One statement or several.
 * @returns What Citus would refuse, or spread over all nodes; empty where all is well.
 */
export function faultsOf(sql: string): string[] {
  const faults: string[] = [];
  for (const parsed of statementsOf(sql)) {
    const stmt: Node = parsed.stmt;
    if (stmt.MergeStmt) faults.push('MERGE is not looked into');
    checkAny(stmt, { ctes: new Set(), known: new Set(), faults });
  }
  return [...new Set(faults)];
}

/**
 * Of a function in PL/pgSQL Postgres writes down what is evaluated as it stands there: a condition, or what a variable is
 * set to, without its SELECT.
 */
function statementsOf(sql: string): { stmt?: Node }[] {
  try {
    return parseSync(sql).stmts ?? [];
  } catch (error) {
    try {
      return parseSync(`SELECT ${sql.replace(/^\s*\w+\s*:=/, '')}`).stmts ?? [];
    } catch {
      throw error;
    }
  }
}
