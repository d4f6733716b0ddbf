module.exports = { ...require('../../jest.preset'), displayName: 'deprecation', rootDir: __dirname };
