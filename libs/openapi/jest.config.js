module.exports = { ...require('../../jest.preset'), displayName: 'openapi', rootDir: __dirname };
