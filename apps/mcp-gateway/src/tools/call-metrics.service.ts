import { Inject, Injectable } from '@nestjs/common';
import { Durations, Management, type DurationSeries } from '@outcomes/platform';
import type { Call } from './tool-call-validator.service';
import type { ToolOutcome } from './tool-outcome.protocol';
import { TOOLS } from './tools.catalogue';

/** Counts and times calls by tool and result, for operators. Never by tenant: labels outlive tenants and leak them. */
@Injectable()
export class CallMetrics {
  private readonly durations: Durations<'tool' | 'result'>;
  /** By tool and result. */
  private readonly series = new Map<string, DurationSeries>();

  constructor(@Inject(Management) { registry }: Management) {
    this.durations = new Durations({
      name: 'mcp_tool_call_duration_seconds',
      help: 'Time from the arrival of a tools/call to its audited answer, by tool and result.',
      labelNames: ['tool', 'result'],
      registry,
    });
    // Only these: an alert compares our own faults with all calls.
    for (const { definition } of TOOLS) {
      for (const result of ['success', 'internal_error'] as const) {
        this.durations.zero({ tool: definition.name, result });
      }
    }
  }

  /** @param startedMs - performance.now() on arrival */
  note({ toolName }: Call, { error }: ToolOutcome, startedMs: number): void {
    this.seriesOf(toolName, error ?? 'success').add((performance.now() - startedMs) / 1_000);
  }

  private seriesOf(tool: string, result: string): DurationSeries {
    const name = `${tool} ${result}`;
    const known = this.series.get(name);
    if (known) return known;
    const added = this.durations.of({ tool, result });
    this.series.set(name, added);
    return added;
  }
}
