import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../schema/concurrent-indexes';

/**
 * Indexes for what 1791000000000 added. They are built beside the traffic, which cannot be done within a transaction:
 * see buildIndex.
 */
export class IndexFacts1791000100000 implements MigrationInterface {
  name = 'IndexFacts1791000100000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) {
      await buildIndex(runner, name, definition);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  }
}

// Each holds a small part of the events, so that taking events in does not pay for them.
const INDEXES = {
  // Events about one message of a sending tool.
  outcome_events_by_ref: 'outcome_events (company_id, message_ref) WHERE message_ref IS NOT NULL',
  // Events that join a message by recipient and step.
  outcome_events_unsent: 'outcome_events (company_id, recipient_id) WHERE sent_at IS NULL',
  // Who must not be written to: unsubscribed (3), bounced (2), and the replies (1) that lift a bounce.
  outcome_events_opt_outs: 'outcome_events (company_id, recipient_id) WHERE outcome IN (2, 3)',
  outcome_events_answers: `outcome_events (company_id, recipient_hash)
    WHERE outcome IN (1, 2, 3) AND recipient_hash IS NOT NULL`,
} as const;
