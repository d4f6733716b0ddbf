import { attachDatabase, sharedService, type AttachedDatabase } from '@outcomes/testing';
import { statusesOf } from '../description';
import { ENDPOINT_NAMES } from '../endpoints';
import { expectStatus, SCENES, type SharedStatus } from '../status';

describe('every endpoint with every described status', () => {
  let database: AttachedDatabase;
  beforeAll(async () => {
    database = await attachDatabase(sharedService('read-api').ownerUrl);
  });
  afterAll(() => database.detach());

  const pairs = ENDPOINT_NAMES.flatMap((endpoint) =>
    statusesOf(endpoint).others.map((status) => [endpoint, status] as const),
  );

  it.each(pairs)('GET %s answers %s', async (endpoint, status) => {
    // A status that is described, and neither played here nor tested in a file of its own.
    expect(Object.keys(SCENES)).toContain(status);
    await expectStatus(database, endpoint, Number(status) as SharedStatus);
  });

  it.each(ENDPOINT_NAMES)('GET %s has a file for no status that is not described', (endpoint) => {
    const { described, own } = statusesOf(endpoint);
    expect(described).toEqual(expect.arrayContaining(own));
    expect(own).toContain('200');
  });
});
