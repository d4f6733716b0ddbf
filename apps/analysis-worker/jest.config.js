module.exports = { ...require('../../jest.preset'), displayName: 'analysis-worker', rootDir: __dirname };
