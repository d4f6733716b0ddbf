import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Guarded, Public, RequirePermission } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { declareAnswerHeaders, OfExchange, type Exchange } from '@outcomes/platform';
import type { RequestBodies } from '../bodies/request-bodies.service';
import type { Admission, AdmissionRule } from './admission';
import { BurstOnly } from './burst-only.decorator';
import { Direct } from './direct.decorator';
import { RequestPipeline, type Handler } from './request-pipeline.service';
import { Given, TakesArguments, type RequestAddress } from './takes-arguments.decorator';
import { RawBody, TakesBody } from './takes-body.decorator';

const takesPlain = () => true;
const readAll = ({ path, query }: RequestAddress) => ({ ...path, ...query });
const readOne = ({ query }: RequestAddress) => {
  if (query.x === undefined) throw new AppError('INVALID_PARAMETER', { parameter: 'x' });
  return { ...query };
};

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

  @Get('answered/at/once')
  @Direct()
  answered(@OfExchange() exchange: Exchange) {
    exchange.send(204, '');
  }

  @Get('argued')
  @Direct()
  @TakesArguments(readAll)
  argued(@Given() given: object) {
    return given;
  }

  @Get('needy')
  @Direct()
  @TakesArguments(readOne)
  needy(@Given() given: object) {
    return given;
  }

  @Get('by-nest')
  byNest(@Query('from') from: string) {
    return { from };
  }

  get label() {
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
  let isAtHand: boolean;
  let pipeline: RequestPipeline;
  beforeEach(() => {
    asked = [];
    steps = [];
    isAtHand = false;
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
      const body = Buffer.from('body');
      return isAtHand ? body : Promise.resolve(body);
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
    return new Promise<void>((resolve) => setImmediate(() => resolve(void written.push(['out']))));
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
      { method: 'GET', path: '/api/v1/answered/at/once', takes: undefined },
      { method: 'GET', path: '/api/v1/argued', takes: undefined },
      { method: 'GET', path: '/api/v1/needy', takes: undefined },
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
    expect((await answerOf('/api/v1/answered/at/once')).written).toEqual([]);
  });

  it('has every answer of a handler carry what the handler declares', async () => {
    declareAnswerHeaders(Reflect.get(ProbeController.prototype, 'argued'), { Deprecation: '@1' });
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

  it.each([
    ['argued', '', {}],
    ['argued', '?', {}],
    ['argued', '?x=1', { x: '1' }],
    ['needy', '?x=1', { x: '1' }],
  ])('hands over what the address of %s says: %j', async (name, query, given) => {
    const path = `/api/v1/${name}`;
    expect((await answerOf(path, path + query)).written[0]).toEqual([given, 200]);
  });

  it('ends for an address without arguments where the handler cannot do without', async () => {
    await expect(answerOf('/api/v1/needy')).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETER' }),
    );
  });

  it('is the same for Nest, who reads the path', async () => {
    const enter = async (name: string, url: string, path?: object, headers = {}) => {
      const exchange = exchangeOf(url, headers);
      const handler = Reflect.get(ProbeController.prototype, name) as Handler;
      await pipeline.enter(exchange, pipeline.ruleOf(handler, ProbeController), { ...path });
      return exchange;
    };
    await enter('plain', '/?x=1');
    expect(steps).toEqual([]);
    expect((await enter('argued', '/?x=1', { id: '2' })).given).toEqual({ id: '2', x: '1' });
    expect((await enter('argued', '/', { id: '2' })).given).toEqual({ id: '2' });
    await expect(enter('byNest', '/?to=1')).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETER' }),
    );
    const { body } = await enter('taken', '/', {}, { 'content-type': 'text/csv' });
    expect(String(body)).toBe('body');
    isAtHand = true;
    const atHand = await enter('taken', '/', {}, { 'content-type': 'text/csv' });
    expect(String(atHand.body)).toBe('body');
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
