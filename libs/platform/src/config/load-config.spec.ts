import { loadConfig, serviceConfigSchema } from './load-config';

describe('an environment that is of no use', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is told in one line for each setting that is missing or wrong, without its value', () => {
    const written: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const ended = jest.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('ended');
    });
    const schema = serviceConfigSchema({ port: 1, managementPort: 2 });
    expect(() => loadConfig(schema, { DATABASE_URL: 'nonsense', REDIS_URL: '' })).toThrow('ended');
    expect(ended).toHaveBeenCalledWith(1);
    expect(written).toEqual([
      'configuration: DATABASE_URL: Invalid URL\n',
      'configuration: REDIS_URL: It is required, and not set.\n',
    ]);
  });
});
