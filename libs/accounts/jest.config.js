module.exports = { ...require('../../jest.preset'), displayName: 'accounts', rootDir: __dirname };
