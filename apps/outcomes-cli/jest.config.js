module.exports = {
  ...require('../../jest.preset'),
  displayName: 'outcomes-cli',
  rootDir: __dirname,
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};
