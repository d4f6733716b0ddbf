import { Inject, Injectable } from '@nestjs/common';
import { Histogram, Management } from '@outcomes/platform';
import type { Call } from './tool-call-validator.service';
import type { ToolOutcome } from './tool-outcome.protocol';

/** Counts and times calls by tool and result, for operators. Never by tenant: labels outlive tenants and leak them. */
@Injectable()
export class CallMetrics {
  private readonly durations: Histogram<'tool' | 'result'>;
  /** By tool and result: finding the place of labels costs more than counting there. */
  private readonly places = new Map<string, ReturnType<Histogram['labels']>>();

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
  note({ toolName }: Call, { error }: ToolOutcome, startedMs: number): void {
    this.placeOf(toolName, error ?? 'success').observe((performance.now() - startedMs) / 1_000);
  }

  private placeOf(tool: string, result: string) {
    const name = `${tool} ${result}`;
    const known = this.places.get(name) ?? this.durations.labels({ tool, result });
    this.places.set(name, known);
    return known;
  }
}
