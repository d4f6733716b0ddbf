import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The read of one stored document, and the news that a company's documents have changed. */
export class ReadOneSnapshot1790800000000 implements MigrationInterface {
  name = 'ReadOneSnapshot1790800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // What read_snapshots does, for one document: a row of its own instead of a set, and an assignment, which Postgres
  // evaluates without a statement of its own. It runs with the caller's rights, so the policies hold. Where there is
  // no document, the one row that it returns is all null.
  `CREATE FUNCTION read_snapshot(of_company uuid, named text, OUT document text, OUT body text, OUT etag text,
      OUT data_as_of timestamptz, OUT updated_at timestamptz)
    LANGUAGE plpgsql SECURITY INVOKER AS $$
    #variable_conflict use_column
    DECLARE company text := set_config('app.company_id', of_company::text, true);
    BEGIN
      SELECT found.document, found.body, found.etag, found.data_as_of, found.updated_at
        INTO document, body, etag, data_as_of, updated_at
        FROM snapshots AS found WHERE company_id = of_company AND found.document = named;
    END $$`,
  // Told with the commit of whoever changes documents, so that readers who remember them forget them. Postgres tells
  // a company once per transaction, however many of its documents changed.
  `CREATE FUNCTION tell_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('snapshots_changed', coalesce(NEW.company_id, OLD.company_id)::text);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER tell_snapshots AFTER INSERT OR UPDATE OR DELETE ON snapshots
    FOR EACH ROW EXECUTE FUNCTION tell_snapshots()`,
];

const DOWN = [
  `DROP TRIGGER tell_snapshots ON snapshots`,
  `DROP FUNCTION tell_snapshots()`,
  `DROP FUNCTION read_snapshot(uuid, text)`,
];
