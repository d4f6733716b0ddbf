module.exports = { ...require('../../jest.preset'), displayName: 'limits', rootDir: __dirname };
