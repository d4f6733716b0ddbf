import pino from 'pino';
import type { Registry } from 'prom-client';
import { appOf } from '../logging/logger';
import { isoTimeOf } from '../runtime/clock';
import { Durations, type DurationSeries } from '../runtime/durations';
import { VERSION } from '../runtime/version';

/** Bytes of lines that are written together, and how long a line may wait for others, in milliseconds. */
const MAX_WAITING = 32_768;
const WAIT_MS = 100;

const LEVEL = pino.levels.values.info ?? 0;

/** What is told of a request. The route's pattern, never its path: paths hold ids. */
export interface AnsweredRequest {
  /** Letters, digits, `_`, `.` and `-` only. */
  readonly requestId: string;
  /** Of the request's span; hexadecimal, undefined where traces are off. */
  readonly traceId?: string | undefined;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** The connection ended before the answer was out. */
  readonly aborted: boolean;
}

interface Kind {
  readonly method: string;
  readonly status: number;
  readonly durations: DurationSeries;
  /** The middle of the line, which is the same for all requests of a kind. */
  readonly text: string;
}

/**
 * One line and one observation per request. The lines hold nothing to cut, and go out together, because a write for
 * each would cost as much as taking an event. A process that is killed loses those of its last tenth of a second;
 * errors have lines of their own in the ordinary log, which waits for nothing.
 */
export class RequestLog {
  private readonly durations: Durations<'method' | 'route' | 'status'>;
  private readonly destination: ReturnType<typeof pino.destination> | undefined;
  private readonly service: string;
  /** By route, of which there are few: paths are none of them. Nor are there many methods and statuses of each. */
  private readonly kinds = new Map<string, Kind[]>();
  /** Lines that wait. One text of all of them, made of many pieces, would cost twice as much to put together. */
  private readonly waiting = Buffer.allocUnsafe(MAX_WAITING);
  private used = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param dest - a file in place of standard output */
  constructor(service: string, level: string, registry: Registry, dest: string | 1 = 1) {
    this.durations = new Durations({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route', 'status'],
      registry,
    });
    // Written in the same turn as the lines of the ordinary log, so that the two never mix within a line.
    const isWritten = (pino.levels.values[level] ?? Infinity) <= LEVEL;
    this.destination = isWritten ? pino.destination({ dest, sync: true }) : undefined;
    this.service = JSON.stringify(appOf(service));
  }

  note({ requestId, traceId, method, route, status, seconds, aborted }: AnsweredRequest): void {
    const kind = this.kindOf(method, route, status);
    kind.durations.add(seconds);
    if (!this.destination) return;
    const ms = Math.round(seconds * 1e5) / 100;
    // The form of the ordinary log's lines, without the walk over an object that could hold anything.
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
    const line = `{"level":"info","time":"${isoTimeOf(Date.now())}"${kind.text}"${requestId}"${trace},"ms":${ms},"aborted":${aborted},"msg":"request"}\n`;
    if (this.used + line.length > MAX_WAITING) this.flush();
    // All of it is ASCII, which costs less this way than as UTF-8.
    this.used += this.waiting.write(line, this.used, 'latin1');
    this.timer ??= setTimeout(this.flush, WAIT_MS).unref();
  }

  /** Writes the lines that still wait; to be called before the process ends. */
  readonly flush = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.used === 0) return;
    this.destination?.write(this.waiting.toString('latin1', 0, this.used));
    this.used = 0;
  };

  private kindOf(method: string, route: string, status: number): Kind {
    const kinds = this.kinds.get(route) ?? [];
    for (const known of kinds) if (known.status === status && known.method === method) return known;
    const words = JSON.stringify({ method, route, status }).slice(1, -1);
    const kind: Kind = {
      method,
      status,
      durations: this.durations.of({ method, route, status: String(status) }),
      text: `,"service":${this.service},"version":"${VERSION}",${words},"requestId":`,
    };
    kinds.push(kind);
    this.kinds.set(route, kinds);
    return kind;
  }
}
