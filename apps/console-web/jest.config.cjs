module.exports = { ...require('../../jest.preset'), displayName: 'console-web', rootDir: __dirname };
