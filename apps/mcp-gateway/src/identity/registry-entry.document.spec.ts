import committed from '../../server.json';
import { SERVER_INFO } from './server-info.protocol';
import { registryEntry } from './registry-entry.document';

/** Members that https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json has, of those in use. */
const INPUT = ['description', 'isRequired', 'isSecret', 'placeholder', 'value', 'variables', 'name'];

describe('the entry for registries', () => {
  const entry = registryEntry();
  const [remote] = entry.remotes;

  it('is the committed server.json', () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(entry)));
  });

  it('has the name, title and version that the server tells of itself', () => {
    expect(entry).toMatchObject({ title: SERVER_INFO.title, version: SERVER_INFO.version });
    expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.name.split('/')[1]).toBe(SERVER_INFO.name);
  });

  it('has the form of the schema: required members, their lengths, and none that it lacks', () => {
    expect(Object.keys(entry).sort()).toEqual(
      ['$schema', 'name', 'title', 'description', 'version', 'remotes'].sort(),
    );
    for (const text of [entry.title, entry.description]) {
      expect(text?.length).toBeGreaterThan(0);
      expect(text?.length).toBeLessThanOrEqual(100);
    }
    expect(Object.keys(remote ?? {}).sort()).toEqual(['headers', 'type', 'url', 'variables']);
    expect(remote?.type).toBe('streamable-http');
    for (const input of [
      ...(remote?.headers ?? []),
      remote?.variables.host,
      remote?.headers[0]?.variables.api_key,
    ]) {
      expect(INPUT).toEqual(expect.arrayContaining(Object.keys(input ?? {})));
    }
  });

  it('explains every variable of its templates, and asks for the key as a secret', () => {
    const named = (template = '') => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(named(remote?.url)).toEqual(Object.keys(remote?.variables ?? {}));
    const [header] = remote?.headers ?? [];
    expect(named(header?.value)).toEqual(Object.keys(header?.variables ?? {}));
    expect([header?.isSecret, header?.variables.api_key.isSecret]).toEqual([true, true]);
  });
});
