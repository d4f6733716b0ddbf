module.exports = {
  ...require('../../jest.preset'),
  displayName: 'ingest-api',
  rootDir: __dirname,
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};
