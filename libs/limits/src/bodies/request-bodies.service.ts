import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import {
  Counter,
  Gauge,
  Management,
  SERVICE_CONFIG,
  releaseBytes,
  type ServiceConfig,
} from '@outcomes/platform';
import { PacedRefusals } from '../shares/paced-refusals.service';
import { BodyLedger, type BodyOwner, type HeldBody } from './body-ledger';
import { DECODER_BYTES, decoderFor } from './content-coding';
import { ReadingTurns } from './reading-turns';

/** What a chunk takes beside its bytes: a body of single bytes is all objects. */
const CHUNK_BYTES = 128;
/** Bytes per second that a body has to bring, in each span that is looked at. */
const LEAST_RATE = 1_024;
/** How often arriving bodies are looked at; more often only where the time-outs are shorter. */
const LOOK_MS = 500;
/** As how many refusals one counts that a body is the cause of: it was read, or lies in the buffers of its socket. */
const REFUSED_BODY = 25;
const RETRY_AFTER_SECONDS = '1';

const NO_BODY = Buffer.alloc(0);

const REFUSALS = ['memory', 'slow', 'timeout', 'many', 'large'] as const;
type Refusal = (typeof REFUSALS)[number];

/** The two sides of a request, whatever stands around them. */
export interface BodySource {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set where all that was announced has been read, though Node is yet to say that it is the end. */
  isBodyRead?: boolean;
  /** Releases what the request holds beside its body. */
  letGo?(): void;
}

interface Arriving {
  readonly startedMs: number;
  /** Since when, and how many bytes since then. */
  sinceMs: number;
  bytes: number;
  readonly give: (error: AppError) => void;
}

/**
 * Reads the bodies of proven callers, plain or compressed, on every surface: within a limit of bytes, of time and of
 * memory of all together, at a least rate, and not too many of one caller at once. Memory is charged as it is taken,
 * so that what is announced and never sent costs nobody anything.
 */
@Injectable()
export class RequestBodies implements OnApplicationShutdown {
  private readonly ledger: BodyLedger;
  private readonly turns = new ReadingTurns();
  private readonly arriving = new Set<Arriving>();
  private readonly refusals: Counter<'reason'>;
  private readonly timeoutMs: number;
  private readonly stallMs: number;
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(SERVICE_CONFIG) config: ServiceConfig,
    @Inject(Management) { registry }: Management,
    @Inject(PacedRefusals) private readonly pace: PacedRefusals,
  ) {
    const ledger = new BodyLedger(config.MAX_HELD_BODY_BYTES, config.MAX_ARRIVING_BODIES);
    this.ledger = ledger;
    this.timeoutMs = config.BODY_TIMEOUT_MS;
    this.stallMs = config.BODY_STALL_MS;
    this.lookMs = Math.max(10, Math.min(LOOK_MS, this.timeoutMs / 4, this.stallMs / 4));
    new Gauge({
      name: 'http_body_bytes',
      help: 'Memory that the bodies of requests take now.',
      registers: [registry],
      collect() {
        this.set(ledger.bytes);
      },
    });
    this.refusals = new Counter({
      name: 'http_bodies_refused_total',
      help: 'Bodies not taken, or given up: no memory left, too slow, too late, too many of one caller, too large.',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of REFUSALS) this.refusals.inc({ reason }, 0);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * The body of a request, decoded; its memory is held until the answer is out. No wait where it is here already. What is
   * refused is refused in turn.
   * @param owner - who pays for it
   * @param limit - bytes, after decoding
   * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE (the coding), INVALID_ENCODING, REQUEST_TIMEOUT,
   * RATE_LIMITED (too many on their way), SERVICE_UNAVAILABLE (no memory), INVALID_REQUEST (the caller hung up)
   */
  read(source: BodySource, owner: BodyOwner, limit: number): Buffer | Promise<Buffer> {
    try {
      const body = this.take(source, owner, limit);
      if (!(body instanceof Promise)) return body;
      return body.catch((error: unknown) => this.refuse(source, owner, error));
    } catch (error) {
      return this.refuse(source, owner, error);
    }
  }

  private refuse(source: BodySource, { companyId }: BodyOwner, error: unknown): Promise<never> {
    return this.pace.refuse(source, companyId, error, REFUSED_BODY);
  }

  private take(source: BodySource, owner: BodyOwner, limit: number): Buffer | Promise<Buffer> {
    const { request, response } = source;
    const { headers } = request;
    const decoder = decoderFor(headers['content-encoding']);
    // Node ends the stream of such a request before anybody can read it.
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_BODY;
    // Hung up while the key was looked at: its end was told before anybody could hear it.
    if (request.destroyed) throw new AppError('INVALID_REQUEST');
    const announced = Number(headers['content-length'] ?? NaN);
    if (announced > limit) throw this.refused('large', tooLarge(limit));
    // Node says that a message is complete a turn after its last byte: what is announced and here is all there is.
    if (!decoder && headers.expect === undefined && request.readableLength === announced) {
      return this.arrived(source, owner, announced);
    }
    if (!this.ledger.mayBegin(owner)) throw this.refused('many', tooMany());
    // Only now is the body asked for, where the caller waits to be asked.
    if (request.headers.expect !== undefined) response.writeContinue();
    return this.receive(source, owner, limit, decoder?.());
  }

  private arrived(source: BodySource, owner: BodyOwner, bytes: number): Buffer {
    const { request, response } = source;
    if (bytes === 0) return NO_BODY;
    const held = this.ledger.begin(owner);
    response.once('close', () => this.ledger.end(held));
    if (!this.ledger.grow(held, bytes)) throw this.refused('memory', noMemory());
    source.isBodyRead = true;
    return request.read() as Buffer;
  }

  private async receive(
    { request, response }: BodySource,
    owner: BodyOwner,
    limit: number,
    decoder: Transform | undefined,
  ): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let total = 0;
    let held: HeldBody | undefined;
    let watched: Arriving | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const give = (reason: Refusal, error: AppError) => reject(this.refused(reason, error));
        held = this.ledger.begin(owner, () => give('memory', noMemory()));
        const arriving = this.watch(reject);
        watched = arriving;
        const charge = (bytes: number) => {
          if (held && !this.ledger.grow(held, bytes)) give('memory', noMemory());
        };
        if (decoder) charge(DECODER_BYTES);
        const take = (chunk: Buffer) => {
          total += chunk.length;
          if (total > limit) return give('large', tooLarge(limit));
          charge(chunk.length + CHUNK_BYTES);
          chunks.push(chunk);
        };
        const arrived = (chunk: Buffer) => {
          arriving.bytes += chunk.length;
          if (!decoder) take(chunk);
        };
        // Its turn may come when it has been given up already: nobody would give back what is charged then.
        const read = () => (this.arriving.has(arriving) ? readOne(request, arrived) : 0);
        if (decoder) request.on('data', arrived);
        else request.on('readable', () => this.turns.read(owner.companyId, read));
        request.once('close', () => {
          if (!request.complete) reject(new AppError('INVALID_REQUEST'));
        });
        (decoder ? request.pipe(decoder).on('data', take) : request).once('end', resolve);
        decoder?.once('error', (cause) => reject(new AppError('INVALID_ENCODING', {}, { cause })));
      });
    } catch (error) {
      if (held) this.ledger.end(held);
      this.turns.waste(owner.companyId, total);
      // The request lives on while its refusal is read, and its listeners with it: what it brought must not.
      chunks.splice(0).forEach(releaseBytes);
      stopReading(request, decoder);
      throw error;
    } finally {
      if (watched) this.arriving.delete(watched);
    }
    if (held) this.hold(held, response);
    const [only] = chunks;
    if (only && chunks.length === 1) return only;
    const body = Buffer.concat(chunks, total);
    chunks.forEach(releaseBytes);
    return body;
  }

  private hold(held: HeldBody, response: ServerResponse): void {
    this.ledger.complete(held);
    if (response.destroyed) this.ledger.end(held);
    else response.once('close', () => this.ledger.end(held));
  }

  private watch(give: (error: AppError) => void): Arriving {
    const now = performance.now();
    const watched: Arriving = { startedMs: now, sinceMs: now, bytes: 0, give };
    this.arriving.add(watched);
    this.timer ??= setInterval(() => this.lookAtAll(), this.lookMs).unref();
    return watched;
  }

  /** One timer for all: a timer for each body would cost as much as a small body. */
  private lookAtAll(): void {
    if (this.arriving.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    const now = performance.now();
    for (const body of this.arriving) {
      const spanMs = now - body.sinceMs;
      if (now - body.startedMs >= this.timeoutMs) {
        body.give(this.refused('timeout', new AppError('REQUEST_TIMEOUT')));
      } else if (spanMs >= this.stallMs) {
        if (body.bytes < (LEAST_RATE * spanMs) / 1_000) {
          body.give(this.refused('slow', new AppError('REQUEST_TIMEOUT')));
        }
        body.sinceMs = now;
        body.bytes = 0;
      }
    }
  }

  private refused(reason: Refusal, error: AppError): AppError {
    this.refusals.inc({ reason });
    return error;
  }
}

/**
 * Takes what a request has buffered. Not as a flowing stream, which takes two mebibytes of a socket at a time while
 * everybody else waits.
 * @returns bytes
 */
function readOne(request: IncomingMessage, take: (chunk: Buffer) => void): number {
  const chunk = request.read() as Buffer | null;
  if (!chunk) return 0;
  take(chunk);
  return chunk.length;
}

/** What is left is not wanted; whoever answers sees to the connection. */
function stopReading(request: IncomingMessage, decoder: Transform | undefined): void {
  if (decoder) {
    request.unpipe(decoder);
    decoder.removeAllListeners('data').on('error', () => undefined);
    decoder.destroy();
  }
  request.removeAllListeners('data').removeAllListeners('readable');
}

function tooLarge(limit: number): AppError {
  const [size, unit] = limit < 2 ** 20 ? [limit / 2 ** 10, 'KiB'] : [limit / 2 ** 20, 'MiB'];
  const message = `The body is larger than ${size} ${unit} (${limit} bytes). Split it into several requests.`;
  return new AppError('PAYLOAD_TOO_LARGE', { limit }, { message });
}

function tooMany(): AppError {
  const message = 'Too many bodies of this key are on their way at once. Send more when these are answered.';
  return new AppError('RATE_LIMITED', {}, { message, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

function noMemory(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
