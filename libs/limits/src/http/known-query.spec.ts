import { Controller, Get, Query, Req } from '@nestjs/common';
import { Guarded } from '@outcomes/auth';
import type { AppError } from '@outcomes/contracts';
import { OfExchange } from '@outcomes/platform';
import { queryNamesOf, queryOf, requireKnownQuery } from './known-query';

@Controller()
@Guarded()
class AskedController {
  @Get()
  nothing() {
    return {};
  }

  @Get()
  two(@Req() request: object, @Query('from') from: string, @Query('to') to: string) {
    return { request, from, to };
  }

  @Get()
  whole(@Query() query: object, @Query('from') from: string) {
    return { query, from };
  }

  @Get()
  itself(@OfExchange() exchange: object) {
    return exchange;
  }
}

describe('the query parameters of a handler', () => {
  it.each([
    ['nothing', []],
    ['two', ['from', 'to']],
    // Who takes the query as a whole, or the exchange, says itself what is known.
    ['whole', undefined],
    ['itself', undefined],
  ])('are those that %s names: %j', (name, names) => {
    expect(queryNamesOf(AskedController, name)?.toSorted()).toEqual(names);
  });

  it.each([
    ['/data', {}],
    ['/data?', {}],
    ['/?a=1&b=x%20y&a=2', { a: ['1', '2'], b: 'x y' }],
    ['/data?a=1?2', { a: '1?2' }],
    ['?a', { a: '' }],
    ['/?caf%C3%A9=%E2%82%AC%25+1', { 'caf\u00e9': '\u20ac% 1' }],
  ])('are read from %s', (url, query) => {
    expect({ ...queryOf(url) }).toEqual(query);
  });

  it.each([
    ['recipient_id=caf%E9', 'recipient_id'],
    ['a=%C3%A9&recipient_id=100%', 'recipient_id'],
    ['a=%zz', 'a'],
    ['a=%C3', 'a'],
    ['a=%ED%A0%80', 'a'],
    // As Node has the bytes of what is not encoded at all.
    ['a=caf\u00c3\u00a9', 'a'],
    ['a%E9=1', 'a\ufffd'],
    [`${'x'.repeat(101)}=%`, 'x'.repeat(100)],
  ])('are refused where they are no text: %s', (query, parameter) => {
    for (const url of [`/data?${query}`, `/data?a=1&${query}`])
      expect(refusalOf(url, ['a', 'recipient_id'])).toEqual({
        ...{ code: 'INVALID_PARAMETER', parameter },
        message: expect.stringContaining(
          `${JSON.stringify(parameter)} is not percent-encoded UTF-8`,
        ) as string,
      });
  });

  const refusalOf = (url: string, names: string[]) => {
    try {
      requireKnownQuery(url, names);
      return undefined;
    } catch (error) {
      const { code, fields, message } = error as AppError;
      return { code, ...fields, message };
    }
  };

  it('are refused where the handler does not know them, with those that it knows', () => {
    expect(refusalOf('/data?from=1&to=2', ['from', 'to'])).toBeUndefined();
    expect(refusalOf('/data?from=1&form=2', ['from', 'to'])).toEqual({
      code: 'INVALID_PARAMETER',
      parameter: 'form',
      message: 'Unknown query parameter "form". Known: from, to.',
    });
    expect(refusalOf('/data?"=2', [])).toEqual({
      code: 'INVALID_PARAMETER',
      parameter: '"',
      message: 'Unknown query parameter "\\"". This address takes none.',
    });
  });

  it('come back cut to a hundred characters where they are refused', () => {
    const long = 'x'.repeat(99);
    expect(refusalOf(`/data?${long}yz=1`, [])).toMatchObject({ parameter: `${long}y` });
  });
});
