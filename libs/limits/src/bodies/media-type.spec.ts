import { requireMediaType } from './media-type';

describe('the media type of a body', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    ' application/json ; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=us-ascii',
    'application/json;\tCHARSET = utf8',
    'application/json; charset=\t"utf-8" ; x=1',
    'application/json; x=1; charset=utf-8',
  ])('is taken as %j', (sent) => {
    expect(() => requireMediaType({ 'content-type': sent }, 'application/json')).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'text/csv',
    'text/csv; charset=utf-8',
    'application/jsonl',
    'x-application/json',
    'application/json, application/json',
    'application/json; charset=latin1',
    'application/json;charset=iso-8859-1',
    'application/json;  charset="utf-16"',
    'application/json; CHARSET = utf-16',
    'application/json; charset=utf-8x',
  ])('is refused as %j, with what to send', (sent) => {
    const headers = sent === undefined ? {} : { 'content-type': sent };
    expect(() => requireMediaType(headers, 'application/json')).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Send the body as "Content-Type: application/json", in UTF-8.',
      }),
    );
  });
});
