import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Public } from '@outcomes/auth';
import { CLOCK, exchangeOf, Management } from '@outcomes/platform';
import { HttpAdapter } from '@outcomes/platform/service';
import { JsonStream } from '@outcomes/read-model';
import { EnvelopeWriter } from '../../src/envelope/envelope-writer.service';
import { Message } from '../../src/envelope/message.decorator';
import { readApiConfig } from '../../src/read-api.config';

async function* elements(count: number, breaksAt = Infinity): AsyncGenerator<string> {
  yield '[0';
  for (let n = 1; n < count; n += 1) {
    if (n === breaksAt) throw new RangeError('the database went away');
    yield `,${n}`;
  }
  yield ']';
}

@Public()
@Controller()
class LongLists {
  @Get('whole')
  @Message({ says: 'A long list.' })
  whole() {
    return new JsonStream(elements(5_000));
  }

  @Get('broken')
  broken() {
    return new JsonStream(elements(5_000, 4_000));
  }
}

class NotingGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    exchangeOf(context.switchToHttp().getRequest()).handler = context.getHandler();
    return true;
  }
}

describe('a list that is too long to hold', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [LongLists],
      providers: [
        EnvelopeWriter,
        { provide: APP_GUARD, useClass: NotingGuard },
        { provide: CLOCK, useValue: { now: () => new Date('2026-06-01T02:00:00Z') } },
      ],
    }).compile();
    const environment = {
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
    };
    const http = new HttpAdapter({
      config: readApiConfig(environment),
      management: new Management('sample'),
      name: 'sample',
    });
    app = module.createNestApplication(http, { logger: false });
    http.prepare(app);
    http.writer = app.get(EnvelopeWriter).write;
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const answerOf = async (path: string): Promise<{ answer: IncomingMessage; body: string }> => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const [answer] = (await once(request({ port, path, host: '127.0.0.1' }).end(), 'response')) as [
      IncomingMessage,
    ];
    let body = '';
    for await (const part of answer) body += String(part);
    return { answer, body };
  };

  it('comes in the same envelope, piece by piece', async () => {
    const { answer, body } = await answerOf('/whole');
    const { success, message, data, timestamp } = JSON.parse(body) as Record<string, unknown>;
    expect({ success, message, timestamp }).toEqual({
      success: true,
      message: 'A long list.',
      timestamp: '2026-06-01T02:00:00.000Z',
    });
    expect(data).toHaveLength(5_000);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      'transfer-encoding': 'chunked',
    });
    expect(answer.headers.etag).toBeUndefined();
  });

  it('breaks off where the rest cannot be read: half a list never looks like a whole one', async () => {
    await expect(answerOf('/broken')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
