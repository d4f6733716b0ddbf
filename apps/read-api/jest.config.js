module.exports = { ...require('../../jest.preset'), displayName: 'read-api', rootDir: __dirname };
