module.exports = { ...require('../../jest.preset'), displayName: 'surfaces-e2e', rootDir: __dirname };
