import { createHash } from 'node:crypto';
import type { EnvelopeFrame, RunFrame } from '@outcomes/contracts';
import { trustFields, trustIn } from '../frame/trust';
import { freshnessAlerts } from './freshness-alerts';
import type { Freshness } from './run.repository';

/** Ages are counted in days: what they bring about may be told so much later. */
const KEPT_MS = 1_000;

/** As it stands in an answer. */
export interface FrameText {
  /** Fields of a JSON object, without its braces. */
  readonly fields: string;
  /** Changes exactly when they do. */
  readonly etag: string;
}

/** What stands beside a document of a run. Written with the run but for ages, which are counted when it is served. */
export class ServedFrame {
  private kept?: FrameText;
  private keptUntilMs = -Infinity;

  /**
   * @param frame - undefined before the first run; of an older version the ledger, which does not tell when the run ended
   * @param run - what the frame of a run that ended well cannot tell of
   */
  constructor(
    private readonly frame: (Omit<RunFrame, 'analysed_at'> & Partial<RunFrame>) | undefined,
    private readonly run: Pick<Freshness, 'hasEvents' | 'lastRunFailed'>,
  ) {}

  /** @param now - time of the answer */
  at(now: Date): FrameText {
    const nowMs = now.getTime();
    if (this.kept === undefined || nowMs >= this.keptUntilMs || nowMs < this.keptUntilMs - KEPT_MS) {
      this.kept = textOf(this.fieldsAt(now));
      this.keptUntilMs = nowMs + KEPT_MS;
    }
    return this.kept;
  }

  private fieldsAt(now: Date): EnvelopeFrame {
    const { frame } = this;
    const trust = trustIn(frame, now);
    return {
      analysed_at: frame?.analysed_at ?? null,
      data_as_of: frame?.data_as_of ?? null,
      newest_outcome_at: frame?.newest_outcome_at ?? null,
      ...trustFields(trust),
      summary: trust.sentence,
      alerts: [
        ...trust.alerts,
        ...freshnessAlerts(
          { ...this.run, analysedAt: timeOf(frame?.analysed_at), dataAsOf: timeOf(frame?.data_as_of) },
          now,
        ),
      ],
    };
  }
}

function timeOf(at: string | undefined): Date | null {
  return at === undefined ? null : new Date(at);
}

function textOf(frame: EnvelopeFrame): FrameText {
  const fields = JSON.stringify(frame).slice(1, -1);
  return { fields, etag: createHash('sha256').update(fields).digest('base64url').slice(0, 11) };
}
