module.exports = { ...require('../../jest.preset'), displayName: 'source-profiles', rootDir: __dirname };
