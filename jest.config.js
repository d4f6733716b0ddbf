/** @type {import('jest').Config} */
module.exports = {
  projects: ['<rootDir>/apps/*', '<rootDir>/libs/*'],
  testTimeout: 30_000,
  testSequencer: require.resolve('./jest.sequencer.js'),
};
