import { Inject, Injectable } from '@nestjs/common';
import type { WorkflowDecisions, WorkflowDecisionsQuery } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { FreshnessRepository } from '../freshness/freshness.repository';
import { decodeCursor } from './cursor';
import { boundedInteger, identifier, instant } from './query-bounds';
import { frameOf } from './result-frame';

const LIMIT = { min: 1, max: 50, fallback: 20 };

/**
 * Decisions that the service froze about contacts. This version freezes none, so that every list is empty and
 * says so; queries are judged all the same, so that callers meet no surprise later.
 */
@Injectable()
export class WorkflowDecisionsService {
  constructor(
    @Inject(FreshnessRepository) private readonly freshness: FreshnessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async answer(scope: TenantScope, query: WorkflowDecisionsQuery): Promise<WorkflowDecisions> {
    boundedInteger('limit', query.limit, LIMIT);
    instant('since', query.since);
    instant('until', query.until);
    if (query.contact_id !== undefined) identifier('contact_id', query.contact_id);
    if (query.campaign_id !== undefined) identifier('campaign_id', query.campaign_id);
    decodeCursor('decisions', query.cursor);
    const freshness = await this.freshness.find(scope);
    const level = query.contact_id !== undefined ? 'contact' : 'company';
    return {
      ...frameOf(scope, level, freshness, this.clock.now(), '0 decisions match.', [
        'no_workflow_decisions_available',
      ]),
      decision_count: 0,
      decisions: [],
      next_cursor: null,
    };
  }
}
