module.exports = { ...require('../../jest.preset'), displayName: 'analysis', rootDir: __dirname };
