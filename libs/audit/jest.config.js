module.exports = { ...require('../../jest.preset'), displayName: 'audit', rootDir: __dirname };
