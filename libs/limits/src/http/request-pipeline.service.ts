import { RequestMethod, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessRuleOf, type AccessRule } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { answerHeadersOf, readersOf } from '@outcomes/platform';
import type { AnswerWriter, DirectRoute, Exchange } from '@outcomes/platform';
import { requireMediaType } from '../bodies/media-type';
import type { BodyOwner } from '../bodies/body-ledger';
import { RequestBodies } from '../bodies/request-bodies.service';
import { Admission, type AdmissionRule } from './admission';
import { BURST_ONLY } from './burst-only.decorator';
import { DIRECT, type DirectOptions } from './direct.decorator';
import { queryNamesOf, queryOf, requireKnownQuery } from './known-query';
import { ARGUMENTS_READER, type ArgumentsReader, type RequestAddress } from './takes-arguments.decorator';
import { BODY_RULE, type BodyRule } from './takes-body.decorator';

/** What the decorators of a handler and its controller declare. */
export interface RouteRule {
  readonly handler: object;
  /** undefined: for everybody. */
  readonly admission: AdmissionRule | undefined;
  readonly body: BodyRule | undefined;
  /** What judges path and query; undefined where the handler names its query parameters one by one. */
  readonly reader: ArgumentsReader | undefined;
  /** What an address without path parameters and query says; undefined where such a one is refused. */
  readonly plain: object | undefined;
  /** Query parameters that it takes; undefined where the handler judges the query. */
  readonly query: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

const NO_PATH: RequestAddress['path'] = Object.freeze({});

export type Handler = (...given: unknown[]) => unknown;

/**
 * The one way to a handler: admission, then what the address says, then the body. What a handler asks for stands on
 * the handler; who calls it, node:http or the guard of Nest, makes no difference to a request.
 */
@Injectable()
export class RequestPipeline {
  private readonly rules = new WeakMap<object, RouteRule>();

  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(RequestBodies) private readonly bodies: RequestBodies,
  ) {}

  /**
   * Takes a request up to its handler.
   * @param path - parameters that stand in the path
   * @throws AppError whatever refuses it
   */
  async enter(exchange: Exchange, rule: RouteRule, path: RequestAddress['path'] = NO_PATH): Promise<void> {
    const admitted = this.admit(exchange, rule);
    if (!admitted) return;
    const reading = this.read(exchange, rule, path, await admitted);
    if (reading) await reading;
  }

  ruleOf(handler: Handler, controller: Type): RouteRule {
    const known = this.rules.get(handler);
    if (known) return known;
    const rule = this.readRule(handler, controller);
    this.rules.set(handler, rule);
    return rule;
  }

  /**
   * The routes of a controller that are called without Nest.
   * @param controller - an instance
   * @param basePath - what stands before its path
   * @param write - writes what handlers return
   * @throws AppError INTERNAL_ERROR where a handler takes an argument that no exchange has
   */
  directRoutes(controller: object, basePath: string, write: AnswerWriter): DirectRoute[] {
    const type = controller.constructor as Type;
    const prototype = type.prototype as object;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler: unknown = Reflect.get(prototype, name);
      const options =
        typeof handler === 'function' && this.reflector.get<DirectOptions | undefined>(DIRECT, handler);
      return options ? [this.directRoute({ controller, type, name, basePath, options, write })] : [];
    });
  }

  private directRoute({ controller, type, name, basePath, options, write }: DirectSource): DirectRoute {
    const handler = Reflect.get(controller, name) as Handler;
    const readers = readersOf(type.prototype as object, name);
    if (!readers) {
      throw new AppError(
        'INTERNAL_ERROR',
        {},
        { message: `${type.name}.${name} takes more than the exchange.` },
      );
    }
    const method =
      options.method ?? RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)];
    const status =
      this.reflector.get<number | undefined>(HTTP_CODE_METADATA, handler) ?? (method === 'POST' ? 201 : 200);
    const parts = [type, handler].map((target) => this.reflector.get<string>(PATH_METADATA, target));
    const rule = this.ruleOf(handler, type);
    return {
      method,
      path: [basePath, ...parts.map((part) => part.replace(/^\//, ''))]
        .filter((part, at) => part !== '' || at === 0)
        .join('/'),
      takes: options.takes,
      answer: async (exchange) => {
        // As `enter`, but for one function that waits less: each is a promise and a turn of their queue for every request.
        const admitted = this.admit(exchange, rule);
        const reading = admitted && this.read(exchange, rule, NO_PATH, await admitted);
        if (reading) await reading;
        const given: unknown[] = [];
        for (const read of readers) given.push(read(exchange));
        const answer: unknown = Reflect.apply(handler, controller, given);
        // What is at hand is written in this turn: a wait for nothing is a turn of the queue for every request.
        const data = answer instanceof Promise ? ((await answer) as unknown) : answer;
        if (exchange.isAnswered) return;
        const written = write(exchange, data, status);
        if (written) await written;
      },
    };
  }

  /** @returns who pays for the body; undefined where the route is for everybody */
  private admit(
    exchange: Exchange,
    { handler, admission, headers }: RouteRule,
  ): Promise<BodyOwner> | undefined {
    exchange.handler = handler;
    if (headers) exchange.setHeaders(headers);
    return admission && this.admission.authorizeRequest(exchange, admission);
  }

  /** What the address says, and the body. Most bodies are here already, and most addresses say nothing but their path. */
  private read(
    exchange: Exchange,
    { reader, plain, query, body }: RouteRule,
    path: RequestAddress['path'],
    owner: BodyOwner,
  ): Promise<void> | undefined {
    const url = exchange.request.url ?? '';
    const saysMore = path !== NO_PATH || url.includes('?');
    if (plain && !saysMore) exchange.given = plain;
    else if (reader) exchange.given = reader({ path, query: queryOf(url) });
    else if (query && saysMore) requireKnownQuery(url, query);
    if (!body) return undefined;
    requireMediaType(exchange.request.headers, body.mediaType);
    const bytes = this.bodies.read(exchange, owner, body.limit);
    if (bytes instanceof Promise) return bytes.then((whole) => void (exchange.body = whole));
    exchange.body = bytes;
    return undefined;
  }

  private readRule(handler: Handler, controller: Type): RouteRule {
    const targets = [handler, controller];
    const access: AccessRule = accessRuleOf(this.reflector, targets);
    const reader = this.reflector.get<ArgumentsReader | undefined>(ARGUMENTS_READER, handler);
    const countsQuota = this.reflector.getAllAndOverride<boolean | undefined>(BURST_ONLY, targets) !== true;
    return {
      handler,
      admission: access === 'public' ? undefined : { access, countsQuota },
      body: this.reflector.get<BodyRule | undefined>(BODY_RULE, handler),
      reader,
      plain: reader && plainOf(reader),
      query: queryNamesOf(controller, handler.name),
      headers: answerHeadersOf(handler, controller),
    };
  }
}

/** @returns undefined where the handler cannot do without arguments */
function plainOf(read: ArgumentsReader): object | undefined {
  try {
    return Object.freeze(read({ path: NO_PATH, query: {} }));
  } catch {
    return undefined;
  }
}

interface DirectSource {
  readonly controller: object;
  readonly type: Type;
  readonly name: string;
  readonly basePath: string;
  readonly options: DirectOptions;
  readonly write: AnswerWriter;
}
