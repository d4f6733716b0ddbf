import type { MigrationInterface, QueryRunner } from 'typeorm';

const setting = (name: string) => `nullif(current_setting('app.${name}', true), '')`;
const presented = (name: string) => `decode(${setting(name)}, 'hex')`;
const COMPANY = `company_id = ${setting('company_id')}::uuid`;
const USER = `user_id = ${setting('user_id')}::uuid`;

/**
 * People who sign in: who they are, their sessions, which companies they may enter, and invitations. A row without a
 * company is seen by whoever presents what it is found by, as it is with keys.
 */
export class AddAccounts1791001300000 implements MigrationInterface {
  name = 'AddAccounts1791001300000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const secured = (table: string, policy: string, using: string, check = using) => [
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
  `CREATE POLICY ${policy} ON ${table} USING (${using}) WITH CHECK (${check})`,
];

const UP = [
  // Whoever signs in elsewhere has an issuer and a subject and no password. An address proves nobody.
  `CREATE TABLE users (
    user_id uuid PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (char_length(email) BETWEEN 3 AND 254),
    password text,
    issuer text,
    subject text,
    created_at timestamptz NOT NULL,
    UNIQUE (issuer, subject),
    CHECK ((issuer IS NULL) = (subject IS NULL))
  )`,
  ...secured(
    'users',
    'presented_user',
    `${USER} OR email = ${setting('user_email')}
      OR (issuer = ${setting('user_issuer')} AND subject = ${setting('user_subject')})`,
  ),
  // The cookie itself is stored nowhere.
  `CREATE TABLE user_sessions (
    session_sha256 bytea PRIMARY KEY CHECK (octet_length(session_sha256) = 32),
    user_id uuid NOT NULL,
    signed_in_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL
  )`,
  `CREATE INDEX user_sessions_by_user ON user_sessions (user_id)`,
  ...secured(
    'user_sessions',
    'presented_session_or_own_user',
    `session_sha256 = ${presented('session')} OR ${USER}`,
  ),
  // What a provider's answer is held against; used once.
  `CREATE TABLE sign_in_attempts (
    attempt_sha256 bytea PRIMARY KEY CHECK (octet_length(attempt_sha256) = 32),
    nonce text NOT NULL,
    code_verifier text NOT NULL,
    invitation_sha256 bytea CHECK (octet_length(invitation_sha256) = 32),
    began_at timestamptz NOT NULL
  )`,
  ...secured('sign_in_attempts', 'presented_attempt', `attempt_sha256 = ${presented('sign_in_attempt')}`),
  `CREATE TABLE memberships (
    company_id uuid NOT NULL,
    user_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'organization_admin', 'member')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, user_id)
  )`,
  `CREATE INDEX memberships_by_user ON memberships (user_id)`,
  ...secured('memberships', 'own_company_or_own_user', `${COMPANY} OR ${USER}`, COMPANY),
  `CREATE TABLE invitations (
    company_id uuid NOT NULL,
    invitation_sha256 bytea NOT NULL CHECK (octet_length(invitation_sha256) = 32),
    email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
    role text NOT NULL CHECK (role IN ('owner', 'organization_admin', 'member')),
    created_at timestamptz NOT NULL,
    accepted_at timestamptz,
    PRIMARY KEY (company_id, invitation_sha256)
  )`,
  `CREATE INDEX invitations_presented ON invitations (invitation_sha256)`,
  ...secured(
    'invitations',
    'own_company_or_presented',
    `${COMPANY} OR invitation_sha256 = ${presented('invitation')}`,
    COMPANY,
  ),
  `GRANT USAGE ON SCHEMA public TO outcomes_console`,
  ...['outcomes_console', 'outcomes_admin'].flatMap((role) => [
    `GRANT SELECT, INSERT, UPDATE ON users TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON user_sessions, memberships, invitations TO ${role}`,
  ]),
  `GRANT SELECT, INSERT, DELETE ON sign_in_attempts TO outcomes_console`,
  // Keys are made and revoked by whoever signed in; making one locks its company's row.
  `GRANT SELECT, INSERT, UPDATE ON api_keys TO outcomes_console`,
  `GRANT SELECT, UPDATE (name, time_zone) ON companies TO outcomes_console`,
];

const DOWN = [
  `REVOKE SELECT, UPDATE (name, time_zone) ON companies FROM outcomes_console`,
  `REVOKE SELECT, INSERT, UPDATE ON api_keys FROM outcomes_console`,
  `DROP TABLE invitations`,
  `DROP TABLE memberships`,
  `DROP TABLE sign_in_attempts`,
  `DROP TABLE user_sessions`,
  `DROP TABLE users`,
  `REVOKE USAGE ON SCHEMA public FROM outcomes_console`,
];
