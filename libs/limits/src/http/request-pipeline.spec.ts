import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Guarded, Public, RequirePermission } from '@outcomes/auth';
import { declareAnswerHeaders, OfExchange, type Exchange } from '@outcomes/platform';
import type { RequestBodies } from '../bodies/request-bodies.service';
import type { Admission, AdmissionRule } from './admission';
import { BurstOnly } from './burst-only.decorator';
import { Direct } from './direct.decorator';
import { RequestPipeline, type Handler } from './request-pipeline.service';
import { Given, TakesArguments } from './takes-arguments.decorator';
import { RawBody, TakesBody } from './takes-body.decorator';

const takesPlain = () => true;
const readNothing = () => ({ read: true });

@Controller('v1')
@Guarded()
class ProbeController {
  readonly name = 'probe';

  @Get('plain')
  @Direct({ takes: takesPlain })
  @Public()
  plain() {
    return { from: this.name };
  }

  @Post('/made')
  @Direct()
  async made() {
    return Promise.resolve({ from: this.name });
  }

  @Post()
  @HttpCode(202)
  @Direct({ method: 'PUT' })
  @RequirePermission('events_write')
  @BurstOnly()
  @TakesBody('text/csv', 10)
  taken(@RawBody() body: Buffer, @Given() given: object) {
    return { body: String(body), given };
  }

  @Get('answered')
  @Direct()
  answered(@OfExchange() exchange: Exchange) {
    exchange.send(204, '');
  }

  @Get('argued')
  @Direct()
  @TakesArguments(readNothing)
  argued(@Given() given: object) {
    return given;
  }

  @Get('by-nest')
  byNest(@Query('from') from: string) {
    return { from };
  }

  helper() {
    return this.name;
  }
}

@Controller()
@Guarded()
@BurstOnly()
class BareController {
  @Get('one')
  one() {
    return {};
  }
}

@Controller()
@Guarded()
class PlacedController {
  @Get(':id')
  @Direct()
  placed(@Param('id') id: string) {
    return { id };
  }
}

describe('the way to a handler', () => {
  const owner = { companyId: 'a', keyId: '1' };
  let asked: AdmissionRule[];
  let steps: string[];
  let pipeline: RequestPipeline;
  beforeEach(() => {
    asked = [];
    steps = [];
    const admission: Admission = {
      authorizeRequest: async (_exchange, rule) => {
        asked.push(rule);
        await Promise.resolve();
        steps.push('admitted');
        return owner;
      },
    };
    const read = (_exchange: Exchange, payer: object, limit: number) => {
      steps.push('read');
      expect({ payer, limit }).toEqual({ payer: owner, limit: 10 });
      return Promise.resolve(Buffer.from('body'));
    };
    pipeline = new RequestPipeline(new Reflector(), admission, { read } as unknown as RequestBodies);
  });

  const exchangeOf = (url: string, headers: object = {}) =>
    ({
      ...{ request: { url, headers }, setHeaders, isAnswered: false, given: {}, body: Buffer.alloc(0) },
      send(this: { isAnswered: boolean }) {
        this.isAnswered = true;
      },
    }) as unknown as Exchange;
  const setHeaders = jest.fn<void, [object]>();
  const written: unknown[][] = [];
  const write = (_exchange: Exchange, data: unknown, status: number) => {
    written.push([data, status]);
    return Promise.resolve().then(() => void written.push(['out']));
  };
  const routesOf = () => pipeline.directRoutes(new ProbeController(), '/api', write);
  const answerOf = async (path: string, url = path, headers = {}) => {
    written.length = 0;
    const exchange = exchangeOf(url, headers);
    await routesOf()
      .find((route) => route.path === path)
      ?.answer(exchange);
    return { exchange, written: [...written] };
  };

  it('leads from node:http to the handlers that are called directly, by verb and path', () => {
    expect(routesOf().map(({ method, path, takes }) => ({ method, path, takes }))).toEqual([
      { method: 'GET', path: '/api/v1/plain', takes: takesPlain },
      { method: 'POST', path: '/api/v1/made', takes: undefined },
      { method: 'PUT', path: '/api/v1', takes: undefined },
      { method: 'GET', path: '/api/v1/answered', takes: undefined },
      { method: 'GET', path: '/api/v1/argued', takes: undefined },
    ]);
    const [atRoot] = pipeline.directRoutes(new ProbeController(), '', write);
    expect(atRoot?.path).toBe('/v1/plain');
  });

  it('leads to no handler that takes what only Nest can give', () => {
    expect(() => pipeline.directRoutes(new PlacedController(), '', write)).toThrow(
      expect.objectContaining({ code: 'INTERNAL_ERROR', message: expect.stringContaining('placed') }),
    );
  });

  it('ends with what the handler returns, in the status of its verb, and once it is out', async () => {
    expect((await answerOf('/api/v1/plain')).written).toEqual([[{ from: 'probe' }, 200], ['out']]);
    expect((await answerOf('/api/v1/made')).written).toEqual([[{ from: 'probe' }, 201], ['out']]);
    // Mutation: what has been answered is answered again.
    expect((await answerOf('/api/v1/answered')).written).toEqual([]);
  });

  it('has every answer of a handler carry what the handler declares', async () => {
    declareAnswerHeaders(Reflect.get(ProbeController.prototype, 'argued') as object, { Deprecation: '@1' });
    await answerOf('/api/v1/argued');
    await answerOf('/api/v1/made');
    expect(setHeaders.mock.calls).toEqual([[{ Deprecation: '@1' }]]);
  });

  it('passes the admission, then the address, then the body', async () => {
    const { exchange, written } = await answerOf('/api/v1', '/api/v1', { 'content-type': 'text/csv' });
    expect(written[0]).toEqual([{ body: 'body', given: {} }, 202]);
    expect(steps).toEqual(['admitted', 'read']);
    expect(exchange.handler).toBe(Reflect.get(ProbeController.prototype, 'taken'));
    steps = [];
    await expect(answerOf('/api/v1', '/api/v1?x=1', { 'content-type': 'text/csv' })).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETER' }),
    );
    await expect(answerOf('/api/v1', '/api/v1', { 'content-type': 'text/plain' })).rejects.toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' }),
    );
    expect(steps).toEqual(['admitted', 'admitted']);
  });

  it('is open to everybody where that is said, and nobody is asked for anything', async () => {
    await answerOf('/api/v1/plain');
    expect([asked, steps]).toEqual([[], []]);
  });

  it('hands over what an address without arguments says, too', async () => {
    expect((await answerOf('/api/v1/argued')).written[0]).toEqual([{ read: true }, 200]);
    expect((await answerOf('/api/v1/argued', '/api/v1/argued?x=1')).written[0]).toEqual([
      { read: true },
      200,
    ]);
  });

  it.each([
    [ProbeController, 'plain', undefined, []],
    [ProbeController, 'made', { access: 'guarded', countsQuota: true }, []],
    [ProbeController, 'taken', { access: 'events_write', countsQuota: false }, []],
    [ProbeController, 'byNest', { access: 'guarded', countsQuota: true }, ['from']],
    // What a controller says holds for each of its handlers.
    [BareController, 'one', { access: 'guarded', countsQuota: false }, []],
  ] as const)('is what the decorators of %p.%s say', (controller, name, admission, query) => {
    const handler = Reflect.get(controller.prototype, name) as Handler;
    const rule = pipeline.ruleOf(handler, controller);
    expect(rule).toMatchObject({ handler, query });
    expect(rule.admission).toEqual(admission);
    expect(pipeline.ruleOf(handler, controller)).toBe(rule);
  });
});
