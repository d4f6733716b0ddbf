import express from 'express';
import { allowedMethods } from './allowed-methods';

const answer = () => {};

function application() {
  const app = express();
  app.enable('case sensitive routing');
  app.use(answer);
  app.get('/', answer);
  app.get('/patterns', answer);
  app.get('/patterns/:code', answer);
  app.put('/patterns/:code', answer);
  app.post('/patterns/search', answer);
  app.get('/page/{*rest}', answer);
  return app;
}

describe('the methods that a path allows', () => {
  it.each([
    ['/', ['GET', 'HEAD']],
    ['/patterns', ['GET', 'HEAD']],
    ['/patterns/', ['GET', 'HEAD']],
    ['/patterns/abc', ['GET', 'HEAD', 'PUT']],
    ['/patterns/search', ['GET', 'HEAD', 'POST', 'PUT']],
    ['/patterns/a%20b', ['GET', 'HEAD', 'PUT']],
    ['/page/a/b', ['GET', 'HEAD']],
    ['/Patterns', []],
    ['/patterns/abc/more', []],
    ['/unknown', []],
    // Broken escapes match nothing.
    ['/patterns/%E0%A4%A', []],
  ])('of %s are %j', (path, methods) => {
    expect(allowedMethods(application(), path)).toEqual(methods);
  });

  it('are those of routes that were added later, too', () => {
    const app = application();
    expect(allowedMethods(app, '/patterns')).toEqual(['GET', 'HEAD']);
    app.delete('/patterns', answer);
    expect(allowedMethods(app, '/patterns')).toEqual(['DELETE', 'GET', 'HEAD']);
  });
});
