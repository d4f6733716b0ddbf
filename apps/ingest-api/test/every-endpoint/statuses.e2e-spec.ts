import { attachDatabase, sharedService, type AttachedDatabase } from '@outcomes/testing';
import { statusesOf } from '../description';
import { expectStatus, SCENES, type SharedStatus } from '../status';
import { ENDPOINTS, RECEIVERS } from './endpoints';

describe('every endpoint with every described status', () => {
  let database: AttachedDatabase;
  beforeAll(async () => {
    database = await attachDatabase(sharedService('ingest-api').ownerUrl);
  });
  afterAll(() => database.detach());

  const pairs = ENDPOINTS.flatMap((endpoint) =>
    statusesOf(endpoint).others.map((status) => [endpoint.name, status, endpoint] as const),
  );

  it.each(pairs)('%s answers %s', async (_name, status, endpoint) => {
    // A status that is described, and neither played here nor tested in a file of its own.
    expect(Object.keys(SCENES)).toContain(status);
    await expectStatus(database, endpoint, Number(status) as SharedStatus);
  });

  it.each([...ENDPOINTS, ...RECEIVERS])(
    '$name has a file for no status that is not described',
    (endpoint) => {
      const { described, own } = statusesOf(endpoint);
      expect(described).toEqual(expect.arrayContaining(own));
      expect(own).toEqual(expect.arrayContaining([expect.stringMatching(/^2/)]));
    },
  );

  it.each(RECEIVERS)('$name has a file for each described status', (receiver) => {
    expect(statusesOf(receiver).others).toEqual([]);
  });
});
