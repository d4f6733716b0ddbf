import { join } from 'node:path';
import {
  answerCheck,
  attachDatabase,
  bearer,
  plantTenant,
  sharedService,
  type CheckedAnswer,
} from '@outcomes/testing';
import { KEYS } from './read-api-process';

/** Mutations of a true answer: the check that every request goes through sees each of them. */
describe('the check of answers against the description', () => {
  const check = answerCheck(join(__dirname, '../openapi.json'));
  const path = '/v1/patterns/chunks';
  let answer: CheckedAnswer;
  beforeAll(async () => {
    const database = await attachDatabase(sharedService('read-api').ownerUrl);
    const tenant = await plantTenant(database, KEYS);
    await database.detach();
    const response = await fetch(`${sharedService('read-api').baseUrl}/patterns/chunks`, {
      headers: bearer(tenant),
    });
    answer = { status: response.status, headers: response.headers, text: await response.text() };
  });

  const withBody = (change: (body: ReturnType<JSON['parse']>) => void): CheckedAnswer => {
    const body = JSON.parse(answer.text);
    change(body);
    return { ...answer, text: JSON.stringify(body) };
  };

  it('takes the answer as it is', () => {
    expect(() => check('GET', path, answer)).not.toThrow();
  });

  it.each([
    ['a required field is missing', 'summary', (body: ReturnType<JSON['parse']>) => delete body.data.summary],
    ['a field is not described', 'additional', (body: ReturnType<JSON['parse']>) => (body.data.more = 1)],
    [
      'a field is of another type',
      'integer',
      (body: ReturnType<JSON['parse']>) => (body.data.summary.total = 'x'),
    ],
    ['a time is none', 'date-time', (body: ReturnType<JSON['parse']>) => (body.timestamp = 'today')],
  ])('fails where %s', (_case, words, change) => {
    expect(() => check('GET', path, withBody(change))).toThrow(words);
  });

  it('fails where the status, a header, the media type or the method is not described', () => {
    expect(() => check('GET', path, { ...answer, status: 418 })).toThrow('not documented');
    expect(() => check('POST', path, answer)).toThrow('405');
    expect(() => check('GET', '/v1/nothing', answer)).toThrow('404');
    const without = new Headers(answer.headers);
    without.delete('etag');
    expect(() => check('GET', path, { ...answer, headers: without })).toThrow('ETag');
    const html = new Headers(answer.headers);
    html.set('content-type', 'text/html');
    expect(() => check('GET', path, { ...answer, headers: html })).toThrow('media type');
  });
});
