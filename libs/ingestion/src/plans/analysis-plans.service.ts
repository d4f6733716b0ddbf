import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { AnalysisPlanRepository } from './analysis-plan.repository';

/** Keys of runs that were planned; the number is the revision of what was counted. */
const PLANNED_KEY = /^(first|growth)-\d+$/;

/**
 * When a company is analysed beside the daily run. On its first day, which lasts until a daily run had data: whenever
 * nothing is left to count and nothing came for five seconds, at most once a minute, and at the latest five minutes
 * after the first event that no run has read. Later the same, where the messages have grown by a tenth.
 */
@Injectable()
export class AnalysisPlans {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(AnalysisPlanRepository) private readonly plans: AnalysisPlanRepository,
  ) {}

  /** Companies that are to be looked at now, the longest due first. */
  async due(limit: number): Promise<string[]> {
    return this.plans.due(limit);
  }

  /** How many companies have had no finished analysis for so long, or since they were made. By the database's clock. */
  async overdue(hours: number): Promise<number> {
    return this.plans.overdue(hours);
  }

  /**
   * Takes the analysis that a company is due for. Of any number of callers one gets it; where it is not brought
   * about within a minute, it is there to be taken again, under the same key where nothing came since.
   * @returns key of the run; undefined where it is not the time for one
   */
  async take(scope: TenantScope): Promise<string | undefined> {
    return this.database.transaction(scope, async (transaction) => {
      const plan = await this.plans.takeDue(transaction);
      if (!plan) return undefined;
      if (plan.isCounting && !plan.isLate) {
        await this.plans.lookAgain(transaction);
        return undefined;
      }
      if (!plan.isFirstDay && !(await this.plans.hasGrown(transaction, plan.messages))) return undefined;
      await this.plans.noteAsked(transaction);
      return `${plan.isFirstDay ? 'first' : 'growth'}-${plan.revision}`;
    });
  }

  /**
   * Whether a run is still worth its time: a planned one is not where another has read everything since.
   * @returns true for any run that was not planned
   */
  async isWanted(scope: TenantScope, runKey: string): Promise<boolean> {
    if (!PLANNED_KEY.test(runKey)) return true;
    return this.database.transaction(scope, (transaction) => this.plans.isOpen(transaction));
  }
}
