module.exports = {
  ...require('../../jest.preset'),
  displayName: 'surfaces-e2e',
  rootDir: __dirname,
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};
