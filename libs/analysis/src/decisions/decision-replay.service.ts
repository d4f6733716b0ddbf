import { Inject, Injectable } from '@nestjs/common';
import { AppError, type DecisionBytes } from '@outcomes/contracts';
import { decisionEngine, type DecisionEngine, type DecisionModel } from '@outcomes/statistics';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { decisionIdOf, sha256 } from './freeze-decision';
import { frozenDecision, frozenDecisionsBehind, type FrozenDecision } from './frozen-decision.repository';

/** Where a stored decision and its recomputation part. */
export interface ReplayFault {
  readonly decisionId: string;
  readonly fault: 'model_changed' | 'identity_changed' | 'result_differs' | 'not_computable';
}

export interface ReplayVerdict {
  readonly replayed: number;
  readonly identical: number;
  readonly firstFault: ReplayFault | null;
}

/** What came of a replay of one decision, and of which frozen bytes. */
export interface ReplayedDecision {
  readonly decisionId: string;
  /** Whether the same bytes came out. */
  readonly identical: boolean;
  readonly fault: ReplayFault['fault'] | null;
  readonly engineVersion: string;
  readonly modelSha256: string;
  readonly resultSha256: string;
}

type Decide = ReturnType<DecisionEngine['contactDecider']>;

const PAGE = 500;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Recomputes stored decisions by the engine that made them, from what was frozen with them and nothing else. */
@Injectable()
export class DecisionReplay {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /** Replays a company's decisions, or those about one contact, page by page. */
  async verify(scope: TenantScope, contactId?: string): Promise<ReplayVerdict> {
    const deciders = new Map<string, Decide>();
    const verdict = { replayed: 0, identical: 0, firstFault: null as ReplayFault | null };
    for (let after = NIL; ;) {
      const rows = await this.database.transaction(scope, (transaction) =>
        frozenDecisionsBehind(transaction, after, PAGE, contactId),
      );
      for (const row of rows) {
        const fault = faultOf(row, deciders);
        verdict.replayed += 1;
        if (fault === null) verdict.identical += 1;
        else verdict.firstFault ??= { decisionId: row.decisionId, fault };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return verdict;
      after = last.decisionId;
    }
  }

  /**
   * Replays one decision.
   * @throws AppError DECISION_NOT_FOUND, also for another company's
   */
  async one(scope: TenantScope, decisionId: string): Promise<ReplayedDecision> {
    const row = await this.stored(scope, decisionId);
    const fault = faultOf(row, new Map());
    return {
      ...{ decisionId, identical: fault === null, fault, engineVersion: row.engineVersion },
      ...{ modelSha256: row.modelSha256, resultSha256: sha256(row.result) },
    };
  }

  /**
   * What was frozen with a decision, for whoever makes it again elsewhere.
   * @throws AppError DECISION_NOT_FOUND, also for another company's
   */
  async frozen(scope: TenantScope, decisionId: string): Promise<DecisionBytes> {
    const { engineVersion, model, modelSha256, inputs, result } = await this.stored(scope, decisionId);
    return {
      ...{ decisionId, engineVersion, model, modelSha256 },
      ...{ inputs, inputsSha256: sha256(inputs), result, resultSha256: sha256(result) },
    };
  }

  private async stored(scope: TenantScope, decisionId: string): Promise<FrozenDecision> {
    if (!UUID.test(decisionId)) throw new AppError('DECISION_NOT_FOUND');
    const row = await this.database.transaction(scope, (transaction) =>
      frozenDecision(transaction, decisionId),
    );
    if (!row) throw new AppError('DECISION_NOT_FOUND');
    return row;
  }
}

function faultOf(row: FrozenDecision, deciders: Map<string, Decide>): ReplayFault['fault'] | null {
  const { model, modelSha256, inputs, result, engineVersion } = row;
  if (model === null || sha256(model) !== modelSha256) return 'model_changed';
  if (decisionIdOf(row) !== row.decisionId) return 'identity_changed';
  const engine = decisionEngine(engineVersion);
  if (!engine) return 'not_computable';
  try {
    const known = `${engineVersion} ${modelSha256}`;
    const decide = deciders.get(known) ?? engine.contactDecider(JSON.parse(model) as DecisionModel);
    deciders.set(known, decide);
    return engine.replayDecision({ model, inputs, result }, decide).identical ? null : 'result_differs';
  } catch {
    return 'not_computable';
  }
}
