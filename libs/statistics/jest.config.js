module.exports = { ...require('../../jest.preset'), displayName: 'statistics', rootDir: __dirname };
