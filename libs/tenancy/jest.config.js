module.exports = { ...require('../../jest.preset'), displayName: 'tenancy', rootDir: __dirname };
