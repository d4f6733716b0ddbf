import { Inject, Injectable } from '@nestjs/common';
import { Histogram, Management } from '@outcomes/platform';
import type { Call } from './call-judge.service';
import type { Outcome } from './outcome';

/** Counts and times calls by tool and result, for operators. Never by tenant: labels outlive tenants and leak them. */
@Injectable()
export class CallMetrics {
  private readonly durations: Histogram<'tool' | 'result'>;

  constructor(@Inject(Management) { registry }: Management) {
    this.durations = new Histogram({
      name: 'mcp_tool_call_duration_seconds',
      help: 'Time from the arrival of a tools/call to its audited answer, by tool and result.',
      labelNames: ['tool', 'result'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    });
  }

  /** @param startedMs - performance.now() on arrival */
  note({ toolName }: Call, { error }: Outcome, startedMs: number): void {
    const labels = { tool: toolName, result: error ?? 'success' };
    this.durations.observe(labels, (performance.now() - startedMs) / 1_000);
  }
}
